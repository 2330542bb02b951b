"""The doors of tournaments: each checks the shape of what it is given and calls one service or selector."""
