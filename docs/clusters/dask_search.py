"""A search on the workers of a Dask cluster: python dask_search.py pair.design.json [SCHEDULER]

SCHEDULER is the address of a running scheduler (tcp://host:8786); without it the script starts one process per core of this machine.
Several design files are distributed to the workers design by design. Writes the same bytes as `hemiola design`, without figure and report.
"""

import sys

from dask.distributed import Client, LocalCluster

import hemiola as hm


def main(arguments: list[str]) -> None:
    files = [argument for argument in arguments if argument.endswith(".json")]
    addresses = [argument for argument in arguments if argument not in files]
    with Client(addresses[0] if addresses else LocalCluster(threads_per_worker=1, dashboard_address=None)) as client:
        specs = [hm.DesignSpec.load(file) for file in files]
        if len(specs) == 1:
            hm.design(specs[0], client=client).save()
        else:
            for swept in hm.sweep(specs, client=client):
                print(swept.spec.id, swept.error or swept.design.error_norm, flush=True)
                if swept.design is not None:
                    swept.design.save()


if __name__ == "__main__":
    main(sys.argv[1:])
