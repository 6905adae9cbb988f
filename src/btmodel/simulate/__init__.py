"""The simulation of a workload on a cluster, from the declarations alone."""
