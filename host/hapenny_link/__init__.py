"""The desktop's end of the link: opens the board that a URL names, and talks with it.

urls.py opens a board (board.py), transports/ carries the bytes, session.py keeps the conversation going.
"""
