-- seed 1188900000: the fuzzer failed
    return self._judge(case)
           ^^^^^^^^^^^^^^^^^
  File "test/query_fuzz/compare.py", line 186, in _judge
    on = self._run(case, case.ssdpar, case.planner)
         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  File "test/query_fuzz/compare.py", line 133, in _run
    notes = "" if answer.sqlstate else self.session.must(
                                       ^^^^^^^^^^^^^^^^^^
  File "test/query_fuzz/session.py", line 81, in must
    raise RuntimeError(f"{answer.sqlstate} {answer.message}\n"
RuntimeError: 57014 canceling statement due to statement timeout
SET LOCAL statement_timeout = 0; SELECT concat(count(*), ' ', sum(v)) FROM notes
