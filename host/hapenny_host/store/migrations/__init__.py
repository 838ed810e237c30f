"""How the tables came to be as they are: alembic's migrations, one file a step."""
