"""The tables of this project in Google Cloud Bigtable."""
