"""The report: from directories of raw numbers to one page.

collect reads, claims judges, figures draws, page writes.  Nothing is measured
here, and nothing but the raw numbers is believed.
"""
