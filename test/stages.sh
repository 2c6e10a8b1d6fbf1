# stages.sh
#	What check.sh does in one server's place: build, install, and the stages
#	structure, unit, fuzz, regress, isolation and tap.
#
# Sourced by check.sh, which gives $work (scratch, $user's), $copy (the tree
# in it), $user and $major.  A stage adds to $passed, $failed and $skipped and
# never ends the run, so that one broken stage does not hide the others.  What
# failed goes to the file $failures, which check.sh shows at the end.

passed=0 failed=0 skipped=0
failures=$work/failures

bin=/usr/lib/postgresql/$major/bin
config=$bin/pg_config
processors=$(nproc)

# What a stage's commands see: nothing of the caller's PG* settings.
stage_env=(
	PATH="$bin:$copy:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
	HOME="$work" TMPDIR="$work/tmp" LANG=C.UTF-8 TERM=dumb
	PG_CONFIG="$config" ${SSDPAR_LONG:+SSDPAR_LONG=1}
	${SSDPAR_TEST_JOBS:+SSDPAR_TEST_JOBS="$SSDPAR_TEST_JOBS"})

# run_as USER LOG COMMAND...: in the copy, out of reach of our lock.
run_as()
{
	local as=$1 log=$2
	shift 2

	run_waiting runuser -u "$as" -- env -C "$copy" -i "${stage_env[@]}" \
		"$@" >>"$log" 2>&1 9>&-
}

failure()
{
	say "FAILED: $*" | tee -a "$failures"
	failed=$((failed + 1))
}

build()
{
	local log=$work/build.log folder

	say "building for PostgreSQL $major"
	for folder in . bench/ssb bench/ssdemu bench/ssdsim; do
		[ -e "$copy/$folder/Makefile" ] || continue
		run_as "$user" "$log" make -C "$folder" PG_CONFIG="$config" clean &&
			run_as "$user" "$log" make -j"$processors" -C "$folder" WERROR=1 \
				PG_CONFIG="$config" &&
			! grep -n 'warning:' "$log" && continue
		show_tail 40 "$log"
		failure "the build (make -C $folder WERROR=1)"
		return 1
	done
}

install_extension()
{
	local log=$work/install.log

	run_as root "$log" make WERROR=1 PG_CONFIG="$config" install \
		install-tests && return
	show_tail 20 "$log"
	failure 'make install install-tests'
	return 1
}

# Since 17 the server's test programs copy a cluster that they are told of,
# and do not make each anew.  Without one they make it.
make_template()
{
	[ "$major" -ge 17 ] || return 0
	run_as "$user" "$work/initdb.log" initdb --no-sync --auth=trust \
		--pgdata="$work/template" &&
		stage_env+=(INITDB_TEMPLATE="$work/template")
	return 0
}

# The counts that harness.pl left, or one failure when it left none.
add_counts()
{
	local stage=$1 file=$2 p f s

	[ -s "$file" ] || { failure "$stage: the tests could not be run"; return; }
	while read -r p f s; do
		passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
	done <"$file"
}

# The rules that the sources are held against, and the test of the rules.
stage_structure()
{
	local log=$work/structure.log counts=$work/structure.counts

	run_as "$user" "$log" perl test/harness.pl "$counts" \
		test/structure/test_structure.py test/structure/structure.py \
		test/structure/test_format.py test/structure/test_versions.py \
		test/structure/test_coverage.py test/structure/test_harness.py \
		test/structure/test_plain_pages.py \
		test/trust/test_classify.py test/trust/test_journal.py \
		test/trust/test_endurance.py test/trust/test_checked.py \
		test/trust/test_smith.py test/trust/test_suites.py \
		test/trust/test_trust.py test/trust/test_faults.py \
		test/trust/test_place.py test/trust/test_tables.py \
		test/trust/test_smaller.py test/trust/test_compare.py ||
		failures_in "$log" >>"$failures"
	add_counts structure "$counts"
}

stage_unit()
{
	local log=$work/unit.log counts=$work/unit.counts programs

	programs=$(cd "$copy/test/unit" && ls test_*.c 2>/dev/null |
		sed 's,^\(.*\)\.c$,test/unit/\1 test/unit/\1.san,')
	[ -n "$programs" ] || return 0
	if ! run_as "$user" "$log" make -C test/unit clean ||
		! run_as "$user" "$log" make -j"$processors" -C test/unit all; then
		show_tail 40 "$log"
		failure 'unit: the tests do not build'
		return
	fi
	# shellcheck disable=SC2086
	run_as "$user" "$log" env CMOCKA_MESSAGE_OUTPUT=TAP \
		ASAN_OPTIONS=abort_on_error=0 UBSAN_OPTIONS=print_stacktrace=1 \
		perl test/harness.pl "$counts" $programs ||
		failures_in "$log" >>"$failures"
	add_counts unit "$counts"
}

# All targets for a minute in sum, or as long as SSDPAR_FUZZ_SECONDS says.
stage_fuzz()
{
	local log=$work/fuzz.log counts=$work/fuzz.counts

	if ! run_as "$user" "$log" make -C test/fuzz PG_CONFIG="$config" \
		clean all; then
		show_tail 40 "$log"
		failure 'fuzz: a target does not build'
		return
	fi
	run_as "$user" "$log" env FUZZ_SECONDS="${SSDPAR_FUZZ_SECONDS:-60}" \
		perl test/harness.pl "$counts" test/fuzz/run.sh \
		test/fuzz/run_session.sh test/fuzz/run_control.sh \
		test/fuzz/run_tbl.sh test/fuzz/run_plans.sh ||
		failures_in "$log" >>"$failures"
	add_counts fuzz "$counts"
}

# A variable of the top Makefile.
make_variable()
{
	make -s -C "$copy" PG_CONFIG="$config" \
		--eval="print-variable: ; @echo \$($1)" print-variable
}

# Every file in the folder must be in the Makefile's list: one forgotten there
# would never run and nobody would know.
unlisted()
{
	local pattern=$1 list=" $2 " file name

	for file in "$copy"/$pattern; do
		[ -e "$file" ] || continue
		name=$(basename "${file%.*}")
		case $list in
			*" $name "*) ;;
			*) printf '%s ' "$name" ;;
		esac
	done
}

# regress_part NAME VARIABLE OTHER-VARIABLE TESTS: some of a stage's tests in a
# server of their own.  What they leave is in $work/NAME.
regress_part()
{
	local name=$1 variable=$2 other=$3 tests=$4

	install -d -o "$user" "$work/$name"
	# plans hang on statistics, which autovacuum would gather at any time
	echo 'autovacuum = off' >"$work/$name/conf"
	run_as "$user" "$work/$name.log" make PG_CONFIG="$config" installcheck \
		"$variable=$tests" "$other=" \
		EXTRA_REGRESS_OPTS="--temp-config=$work/$name/conf \
			--temp-instance=$work/$name/server --outputdir=$work/$name"
}

# every N FIRST WORD...: each Nth word, from the one with that number
every()
{
	local n=$1 first=$2
	shift 2

	printf '%s\n' "$@" | awk -v n="$n" -v first="$first" \
		'NR % n == first % n' | tr '\n' ' '
}

# What a part has left: its counts, and why it failed.
add_regress_part()
{
	local name=$1 code=$2 count=$3 log=$work/$1.log good bad

	# The first form is 15's, the second that of 16 and later.
	good=$(grep -cE '^(test)? +[^ ]+ +\.\.\. ok |^ok [0-9]+ ' "$log")
	bad=$(grep -cE '\.\.\. (FAILED|failed)|^not ok [0-9]+ ' "$log")
	passed=$((passed + good))
	failed=$((failed + bad))
	if [ "$((good + bad))" -lt "$count" ]; then
		failure "$name: of $count tests, $((good + bad)) ran"
	elif [ "$code" -ne 0 ] && [ "$bad" -eq 0 ]; then
		failure "$name: make installcheck"
	fi
	[ "$code" -eq 0 ] && return
	grep -hE '\.\.\. (FAILED|failed)|^not ok [0-9]+ ' "$log" |
		sed "s/^/FAILED $name: /" >>"$failures"
	[ -s "$work/$name/regression.diffs" ] &&
		head -n 200 "$work/$name/regression.diffs" >>"$failures" ||
		show_tail 40 "$log"
}

# regress_stage NAME VARIABLE OTHER-VARIABLE FILES: pg_regress or
# pg_isolation_regress by way of the Makefile, one for each processor.  Tests
# cannot share a server, because device profiles are the whole server's.
regress_stage()
{
	local name=$1 variable=$2 other=$3 files=$4
	local tests missing part count=0 parts=() processes=() codes=()

	tests=$(make_variable "$variable")
	missing=$(unlisted "$files" "$tests")
	[ -z "$missing" ] ||
		failure "$name: not in the Makefile's $variable: $missing"
	for part in $(seq "$processors"); do
		# shellcheck disable=SC2086
		parts[part]=$(every "$processors" "$part" $tests)
		[ "${parts[part]// /}" ] || continue
		regress_part "$name.$part" "$variable" "$other" "${parts[part]}" &
		processes[part]=$!
	done
	for part in "${!processes[@]}"; do
		codes[part]=0
		wait "${processes[part]}" || codes[part]=$?
	done
	for part in "${!processes[@]}"; do
		count=$(wc -w <<<"${parts[part]}")
		add_regress_part "$name.$part" "${codes[part]}" "$count"
	done
}

stage_regress()
{
	regress_stage regress REGRESS ISOLATION 'sql/*.sql'
}

stage_isolation()
{
	regress_stage isolation ISOLATION REGRESS 'specs/*.spec'
}

# tap_tests USER TEST...: the environment is what PGXS gives to prove, in the
# names of 15 and of 16 and later.
tap_tests()
{
	local as=$1 log=$work/tap.$1.log data=$work/tap.$1 pgxs bad
	local counts=$data/counts code=0
	shift

	pgxs=$(cd "$(dirname "$("$config" --pgxs)")/../.." && pwd)
	install -d -o "$as" -m 755 "$data"
	run_as "$as" "$log" env TESTDIR="$data" TESTDATADIR="$data/tmp_check" \
		TESTLOGDIR="$data/tmp_check/log" \
		PERL5LIB="$pgxs/src/test/perl:$copy/test/perl" PGPORT=65432 \
		PG_REGRESS="$pgxs/src/test/regress/pg_regress" \
		PG_TEST_PORT_DIR="$data" \
		SSDPAR_TEST_USER="$user" SSDPAR_REGRESS_SUITE="$suite" \
		perl test/harness.pl "$counts" "$@" || code=$?
	add_counts tap "$counts"
	[ "$code" -ne 0 ] || return 0
	failures_in "$log" >>"$failures"
	for bad in $(sed -n 's,^FAILED t/\(.*\)\.pl$,\1,p' "$log"); do
		show_tail 40 "$data/tmp_check/log/regress_log_$bad"
	done
}

# says_of_itself FILE WORDS
says_of_itself()
{
	head -n 20 "$1" | grep -q "^# $2"
}

# A test that says so runs as root; it starts its servers as
# $SSDPAR_TEST_USER by itself.
stage_tap()
{
	local file as_root=() as_user=() suite=

	for file in "$copy"/t/*.pl; do
		[ -e "$file" ] || continue
		[ "$server_only" ] && says_of_itself "$file" 'servers: one' && continue
		if says_of_itself "$file" 'needs: root'; then
			as_root+=("t/${file##*/}")
		else
			as_user+=("t/${file##*/}")
		fi
	done
	[ $((${#as_user[@]} + ${#as_root[@]})) -gt 0 ] || return 0
	if [ -z "$no_source" ]; then
		# Without it t/001_plans.pl fails and says why.
		suite=$(bash "$copy/test/source.sh" "$major" 9>&-)
	else
		suite=none
	fi
	[ ${#as_user[@]} -eq 0 ] || tap_tests "$user" "${as_user[@]}"
	[ ${#as_root[@]} -eq 0 ] || tap_tests root "${as_root[@]}"
	return 0
}

# run_stage NAME: and a stage in which nothing ran has failed.
run_stage()
{
	local p=$passed f=$failed s=$skipped

	say "$1"
	"stage_$1"
	[ $((passed + failed)) -gt $((p + f)) ] ||
		failure "$1: no test ran"
	say "$1: $((passed - p)) passed, $((failed - f)) failed," \
		"$((skipped - s)) skipped"
}
