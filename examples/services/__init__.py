"""Programs that serve and write quotes, as they would be deployed: see docs/deploy.md."""
