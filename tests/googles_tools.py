"""What Google's command-line tools are given."""

import os

# Without a file of credentials cbt starts gcloud to ask for some, which takes half a second; no server here wants any.
NO_CREDENTIALS = {"GOOGLE_APPLICATION_CREDENTIALS": os.devnull}
