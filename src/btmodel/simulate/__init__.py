"""What a workload does to a cluster, from the declarations alone: before there is a table."""
