"""The report: from directories of raw numbers to one page.

collect reads, claims judges, figures draws, page writes.  It measures nothing,
and uses nothing but the raw numbers.
"""
