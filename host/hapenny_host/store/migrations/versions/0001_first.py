"""The tables as the first hapenny made them: events, evidence, names."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make them."""
    op.create_table(
        "events",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("board", sa.String, nullable=False),
        sa.Column("log", sa.Integer, nullable=False),
        sa.Column("boot", sa.Integer, nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("data", sa.LargeBinary, nullable=False),
        sa.Column("received_at", sa.Float, nullable=False),
        sa.UniqueConstraint("board", "log", "seq"),
    )
    op.create_table(
        "evidence",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("board", sa.String, nullable=False),
        sa.Column("log", sa.Integer, nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("part", sa.Integer, nullable=False),
        sa.Column("measured", sa.String, nullable=False),
        sa.UniqueConstraint("board", "log", "seq", "part"),
    )
    op.create_table(
        "names",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("board", sa.String, nullable=False),
        sa.Column("log", sa.Integer, nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("names", sa.String, nullable=False),
        sa.UniqueConstraint("board", "log", "seq"),
    )
