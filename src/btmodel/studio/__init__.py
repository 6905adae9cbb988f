"""``btmodel studio``: a local web page over an instance. Read ``serving.py`` first, then ``app.py``."""
