#!/bin/sh
# Makes .venv: uv inside it, the locked dependencies, and Meldlog itself as an editable install.
# The stamp is written last, so that an interrupted set-up is taken up again by the next one.
set -eu

root=$1
venv=$root/.venv
stamp=$venv/.stamp
uv=$venv/bin/uv

fail() {
    echo "meldlog: $*" >&2
    exit 1
}

cd "$root"
echo "meldlog: setting up .venv with the locked dependencies ..." >&2
made_in=$(cat "$venv/.root" 2>/dev/null || true)
rm -f "$stamp"

# An environment made in another folder, or one left half-made, is made anew.
if [ "$made_in" != "$root" ] || ! "$venv/bin/python" -c "" 2>/dev/null || ! "$uv" --version >/dev/null 2>&1; then
    command -v "$PYTHON" >/dev/null || fail "there is no $PYTHON here; install Python 3.11 or newer, or name it: make setup PYTHON=..."
    "$PYTHON" -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
        fail "$("$PYTHON" --version) is too old; install Python 3.11 or newer and name it: make setup PYTHON=python3.11"
    "$PYTHON" -c 'import ensurepip, venv' 2>/dev/null ||
        fail "this Python cannot make virtual environments; on Debian or Ubuntu: apt-get install python3-venv"
    rm -rf "$venv"
    "$PYTHON" -m venv "$venv"
    # uv's own entry of the lock, hashes included.
    sed -n '/^uv==/,/[^\\]$/p' requirements.lock >"$venv/uv.lock"
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes --requirement "$venv/uv.lock"
    echo "$root" >"$venv/.root"
fi

export VIRTUAL_ENV="$venv"
"$uv" pip sync --quiet --require-hashes requirements.lock
# The build backend is locked too: nothing is fetched to build the project itself.
"$uv" pip install --quiet --no-deps --no-build-isolation --editable .
echo "$root" >"$stamp"
