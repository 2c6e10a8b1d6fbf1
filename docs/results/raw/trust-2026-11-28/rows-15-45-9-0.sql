-- seed 4500009: the fuzzer failed
    return self._judge(case)
           ^^^^^^^^^^^^^^^^^
  File "/work/t15/test/query_fuzz/compare.py", line 184, in _judge
    on = self._run(case, case.ssdpar, case.planner)
         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  File "/work/t15/test/query_fuzz/compare.py", line 131, in _run
    notes = "" if answer.sqlstate else self.session.must(
                                       ^^^^^^^^^^^^^^^^^^
  File "/work/t15/test/query_fuzz/session.py", line 81, in must
    raise RuntimeError(f"{answer.sqlstate} {answer.message}\n"
RuntimeError: 57014 canceling statement due to statement timeout
SET LOCAL statement_timeout = 0; SELECT concat(count(*), ' ', sum(v)) FROM notes