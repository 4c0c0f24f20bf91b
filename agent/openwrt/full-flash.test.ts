/** A router whose flash is full: nothing that is there is lost, and the platform is told. Its flash is a small file system in memory. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { agentParts } from '#test/openwrt/agent-shell'
import { busyboxProgram } from '#test/programs/unpacked'

const root = mkdtempSync(join(tmpdir(), 'iot-flash-'))
for (const folder of ['etc', 'tmp', 'proc', 'usr/lib']) mkdirSync(join(root, folder), { recursive: true })
afterAll(() => rmSync(root, { recursive: true }))

const PAGE = 4096
// What a router has and BusyBox here has not.
const STUBS = `
uci() { case "$*" in *'get'*) ;; *) for last; do :; done; cat "$last" ;; esac; }
jsonfilter() { cat "$ROOT/tmp/text"; echo; }
tell() { echo "told $1 $2"; }
say() { echo "said $*"; }
fsync() { :; }
fill() { cat /dev/zero >"$ROOT/etc/fill" 2>/dev/null; }
# Leaves so many pages.
room() { fill; truncate -s $(($(wc -c <"$ROOT/etc/fill") - $1 * ${PAGE})) "$ROOT/etc/fill"; }
text() { head -c "$2" /dev/zero | tr '\\0' "$1"; }
echo '100.25 50.00' >"$ROOT/proc/uptime"
`
const canMount =
  busyboxProgram !== null &&
  spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'none', join(root, 'etc')]).status === 0
if (!canMount) console.warn('SKIPPED: a router with a full flash, because nothing can be mounted')

/** Runs lines of the agent's shell with a flash of 100 kB. */
function run(lines: string): string {
  const load = agentParts('keys', 'journal', 'restore', 'mqtt', 'commands', 'config')
  const script = `mount -t tmpfs -o size=100k none "$ROOT/etc" && mkdir -p "$ROOT/etc/config" && exec '${busyboxProgram}' ash -c "$LINES_"`
  const { stdout, stderr } = spawnSync('unshare', ['-m', 'sh', '-c', script], {
    encoding: 'utf8',
    env: {
      PATH: '/usr/bin:/bin:/usr/sbin:/sbin',
      IOTAGENT_ROOT: root,
      ROOT: root,
      LINES_: `${load}\n${STUBS}\n${lines}`,
    },
  })
  if (stdout === '') throw new Error(stderr)
  return stdout
}

describe.skipIf(!canMount)('a full flash', () => {
  it('has no room for a change: it is refused before anything is replaced, and the platform is told', () => {
    const told = run(`
      text a 20000 >"$CONFIG/network"; text b 100 >"$ROOT/tmp/text"; sum=$(sha256sum <"$ROOT/tmp/text" | cut -c1-64)
      pick() { case "$*" in *files*) ALL= ;; *name*) NAME=network HASH=$sum ;; *) ALL=0 ;; esac; }
      room 3; fault=$(stage message 2>/dev/null); echo "fault $fault"
      fill; KEPT=flash; rejected 1-2 network "$fault" 2>/dev/null
      wc -c <"$CONFIG/network"`)
    expect(told).toContain('fault network there is no room on the flash')
    expect(told).toMatch(/told reply .*"id":"1-2".*"rejected".*no room on the flash/)
    expect(told.trim().split('\n').at(-1)).toBe('20000')
  })

  it('a change is rolled back as a whole, and that is kept', () => {
    const left = run(`
      mkdir -p "$PENDING/before" "$PENDING/after" "$PENDING/files"; : >"$PENDING/files/list"
      text a 20000 >"$PENDING/before/network"; text b 20000 >"$PENDING/after/network"; cp "$PENDING/after/network" "$CONFIG/network"
      echo "network $(file_hash "$PENDING/before/network") $(file_hash "$CONFIG/network")" >"$PENDING/packages"
      echo 7 >"$PENDING/revision"; echo trial >"$PENDING/phase"
      fill; restore 'not confirmed' 2>/dev/null
      tr -d a <"$CONFIG/network" | wc -c; wc -c <"$CONFIG/network"; phase; ls "$CONFIG"`)
    expect(left.split('\n').slice(-5)).toEqual(['0', '20000', 'reverted', 'network', ''])
  })

  it('a device that enrols does not lose its secret, nor begins without one', () => {
    const enrolled = run(`
      SN=R1; model() { echo m; }; setting() { [ "$1" = key ] && echo ek_12345678; }
      mosquitto_rr() { echo asked; }; value() { [ "$2" = @.sn ] && echo R1; }
      fill; enrol 2>/dev/null; echo "without $?"
      rm "$ROOT/etc/fill"; keep own-secret s3cret; fill; enrol 2>/dev/null; echo "with $?"
      cat "$STATE/secret"`)
    expect(enrolled).toMatch(/said no room on the flash for a secret\nwithout 1/)
    expect(enrolled).toMatch(/with 0\ns3cret\n$/)
  })

  it('the keys that may log in stay as they are', () => {
    const kept = run(`
      mkdir -p "$ROOT/etc/dropbear"; text k 9000 >"$KEYS"; printf "config key\\n\\toption line '%s'\\n" "$(text n 9000)" >"$CONFIG/sshkeys"
      room 1; write_keys 2>/dev/null; wc -c <"$KEYS"
      fill; read_keys 2>/dev/null; grep -c nnn "$CONFIG/sshkeys"; ls "$ROOT/etc/dropbear" "$CONFIG" | grep -c iotagent`)
    expect(kept).toBe('9000\n1\n0\n')
  })

  /** A configuration file with one package, of a router whose `network` has 20,000 bytes. */
  const restoring = (name: string, bytes: number) => `
      ${agentParts('install', 'upgrade')}
      report() { :; }; boot_id() { echo boot; }; text a 20000 >"$CONFIG/network"
      rm -rf "$ROOT/tmp/restored"; mkdir -p "$ROOT/tmp/restored/etc/config"; text b ${bytes} >"$ROOT/tmp/restored/etc/config/${name}"`

  it('a restored configuration is taken back as a whole, also where the power fails before that is kept', () => {
    const left = run(`${restoring('network', 100)}
      install_config 0a "$ROOT/tmp/restored" 2>/dev/null; wc -c <"$CONFIG/network"
      fill; (restore_is() { :; }; put_back 2>/dev/null); wc -c <"$CONFIG/network"
      put_back 2>/dev/null; wc -c <"$CONFIG/network"; restore_phase`)
    expect(left).toMatch(/100\n20000\n20000\nreverted\n$/)
  })

  it('a restored configuration that takes the last room does not restart the router over and over', () => {
    const left = run(`${restoring('added', 20_000)}
      (swap_files() { :; }; install_config 0a "$ROOT/tmp/restored" 2>/dev/null)
      room 5; swap_files 2>/dev/null; restore_phase; wc -c <"$CONFIG/added"
      put_back 2>/dev/null; restore_phase; ls "$CONFIG"`)
    expect(left).toMatch(/swapped\n20000\nreverted\nnetwork\n$/)
  })

  it('an offer that comes again with a newer link leaves the one that is there', () => {
    const offer = run(`
      ${agentParts('upgrade')}
      value() { echo 0a; }; present() { :; }; begin_item() { :; }
      text a 300 >"$STATE/items/0a.offer"; echo downloading >"$STATE/items/0a"; text b 5000 >"$ROOT/tmp/message"
      fill; take_offer "$ROOT/tmp/message" 2>/dev/null; cat "$STATE/items/0a.offer"; ls "$STATE/items"
      rm "$ROOT/etc/fill"; take_offer "$ROOT/tmp/message"; cut -c1-2 "$STATE/items/0a.offer"`)
    expect(offer).toBe(`${'a'.repeat(300)}0a\n0a.offer\nbb\n`)
  })

  it.each([
    [
      'with the texts that were put in place',
      'mkdir "$PENDING/after"; text b 20000 >"$PENDING/after/network"',
    ],
    ['without any room', ''],
  ])('a change that is confirmed is reported as that, %s', (_, after) => {
    const told = run(`
      ${agentParts('upgrade')}
      pick() { REVISION=7; }; hello() { :; }; config_hash() { echo h; }
      mkdir -p "$PENDING"; echo 7 >"$PENDING/revision"; echo 2b >"$PENDING/command"; echo trial >"$PENDING/phase"; ${after}
      keep commands/2b '"state":"accepted"'; KEPT=flash
      fill; run_confirm 2c message 2>/dev/null; settle_commands`)
    expect(told).toMatch(/told reply .*"id":"2b".*"state":"done".*"confirmed"/)
    expect(told).not.toContain('reverted')
  })

  it('the list of installed packages stays as it is where another one has no room', () => {
    const left = run(`
      ${agentParts('install', 'upgrade')}
      PACKAGES=$ROOT/etc/packages PACKAGE=new VERSION=2; hello() { :; }
      for n in $(seq 340); do echo "package-$n 1"; done | head -c 4090 >"$PACKAGES"
      echo upgrading >"$STATE/items/0a"; echo '1 0a' >"$RUN/installer"; echo 0 >"$RUN/installed"
      before=$(file_hash "$PACKAGES"); fill; finish_packages 0a 2>/dev/null; [ "$(file_hash "$PACKAGES")" = "$before" ] && echo same`)
    expect(left).toMatch(/"failed".*no room on the flash/)
    expect(left).toMatch(/same\n$/)
  })

  it('where not even an empty file can be made ends neither the agent nor what it says', () => {
    const told = run(`
      ${agentParts('upgrade')}
      names=' network'
      mkdir() { return 1; }; echo "fault $(stage message 2>/dev/null)"
      echo 'done' >"$STATE/items/0a"; command mkdir "$STATE/items/0a.told"
      present 0a 2>/dev/null; echo 'goes on'`)
    expect(told).toContain('fault network there is no room on the flash')
    expect(told).toMatch(/told progress .*"step":"done"/)
    expect(told).toMatch(/goes on\n$/)
  })
})
