"""Evidence knows when it was received, so that old evidence can go: what is there is as old as its event."""

import time

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

AS_OLD_AS_ITS_EVENT = sa.text(
    "UPDATE evidence SET received_at = coalesce((SELECT events.received_at FROM events WHERE"
    " events.board = evidence.board AND events.log = evidence.log AND events.seq = evidence.seq), :now)"
)


def upgrade() -> None:
    """Add the column, fill it, and then require it."""
    op.add_column("evidence", sa.Column("received_at", sa.Float, nullable=True))
    op.get_bind().execute(AS_OLD_AS_ITS_EVENT, {"now": time.time()})
    with op.batch_alter_table("evidence") as evidence:
        evidence.alter_column("received_at", existing_type=sa.Float, nullable=False)
    op.create_index("ix_evidence_received_at", "evidence", ["received_at"])
