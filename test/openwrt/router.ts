/** A stock OpenWrt router below a folder: BusyBox's ash and tools, recorded answers of ubus, a small uci and jsonfilter. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { busyboxProgram } from '../programs/unpacked.ts'
import { ubusAnswers } from './ubus-answers.ts'

const files = fileURLToPath(new URL('../../agent/openwrt/files', import.meta.url))
const here = dirname(fileURLToPath(import.meta.url))
const tools = ['busybox', 'mosquitto_pub', 'mosquitto_sub', 'mosquitto_rr', 'curl']
const placeOf = (tool: string): string | null => {
  if (tool === 'busybox') return busyboxProgram
  try {
    return execFileSync('sh', ['-c', `command -v ${tool}`], { encoding: 'utf8' }).trim()
  } catch {
    return null
  }
}
export const missingTools = tools.filter((tool) => !placeOf(tool))

export const networkText = (address = '192.168.1.1') => `# of the shop
config interface 'loopback'
	option device 'lo'
	option proto 'static'
	option ipaddr '127.0.0.1'

config interface 'lan'
	option device 'br-lan'
	option proto 'static'
	option ipaddr '${address}'
	option netmask '255.255.255.0'

config interface 'wan'
	option device 'eth1'
	option proto 'dhcp'
`
const configs: Readonly<Record<string, string>> = {
  network: networkText(),
  system: "config system\n\toption hostname 'shop-17'\n\toption timezone 'CST-8'\n",
  dhcp: "config dhcp 'lan'\n\toption interface 'lan'\n\toption start '100'\n",
  dropbear: "config dropbear\n\toption Port '22'\n",
  firewall:
    "config defaults\n\toption input 'DROP'\n\nconfig zone\n\toption name 'lan'\n\tlist network 'lan'\n",
}

export class Router {
  readonly root = mkdtempSync(join(tmpdir(), 'iot-openwrt-'))
  readonly children = new Map<string, ChildProcess>()
  output = ''
  #boots = 0

  constructor(settings: Readonly<Record<string, string>>) {
    cpSync(files, this.root, { recursive: true })
    for (const [name, text] of Object.entries(configs)) this.write(`etc/config/${name}`, text)
    const options = Object.entries({ ...settings, tls: '0', identity: 'eth0' })
    this.write(
      'etc/config/iotagent',
      `config agent 'main'\n${options.map(([name, value]) => `\toption ${name} '${value}'\n`).join('')}` +
        ['dhcp', 'firewall', 'network', 'system', 'wireless']
          .map((name) => `\tlist package '${name}'\n`)
          .join(''),
    )
    for (const [name, text] of Object.entries({
      'sys/class/net/eth0/address': '02:00:5e:10:00:01',
      'sys/class/net/eth0/operstate': 'up',
      'sys/class/net/eth0/statistics/rx_bytes': '1000',
      'sys/class/net/eth0/statistics/tx_bytes': '2000',
      'proc/loadavg': '0.21 0.10 0.05 1/80 1234',
      'proc/meminfo': 'MemTotal:  131072 kB\nMemFree:  1000 kB\nMemAvailable:  65536 kB',
      'proc/net/route':
        'Iface\tDestination\tGateway\tFlags\tRefCnt\tUse\tMetric\tMask\neth0\t00000000\t0100A8C0\t0003\t0\t0\t0\t00000000',
      'proc/net/arp':
        'IP address HW type Flags HW address Mask Device\n192.168.1.113 0x1 0x2 02:00:5e:10:00:77 * br-lan\n192.168.1.9 0x1 0x0 00:00:00:00:00:00 * br-lan',
      'tmp/dhcp.leases': '1795226400 02:00:5e:10:00:77 192.168.1.113 pos-2 *',
    }))
      this.write(name, `${text}\n`)
    for (const [call, answer] of Object.entries(ubusAnswers))
      this.write(`answers/${call}`, JSON.stringify(answer))
    this.#programs()
    this.boot()
  }

  /** By a rename: the agent reads these files all the time, and never half of one. */
  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.root, path)), { recursive: true })
    const written = join(this.root, '.written')
    writeFileSync(written, text)
    renameSync(written, join(this.root, path))
  }
  read(path: string): string {
    const file = join(this.root, path)
    return existsSync(file) ? readFileSync(file, 'utf8') : ''
  }
  remove(path: string): void {
    rmSync(join(this.root, path), { recursive: true, force: true })
  }
  age(path: string, seconds: number): void {
    const at = new Date(Date.now() - seconds * 1000)
    utimesSync(join(this.root, path), at, at)
  }
  /** What was called of the programs that change the device. */
  get calls(): string[] {
    return this.read('calls').split('\n').filter(Boolean)
  }

  /** A program of the router, found by its name if it is in `bin`. */
  program(path: string, script: string): void {
    this.write(path, `#!/bin/sh\n${script}\n`)
    chmodSync(join(this.root, path), 0o755)
  }
  #programs(): void {
    const log = `echo "\${0##*/} $*" >>"${this.root}/calls"`
    for (const tool of tools) {
      mkdirSync(join(this.root, 'bin'), { recursive: true })
      symlinkSync(placeOf(tool) ?? tool, join(this.root, 'bin', tool))
    }
    // OpenWrt's BusyBox has it, Debian's does not; `sync` would wait for what every process of this machine writes.
    this.program('bin/fsync', 'exec /bin/sync "$@"')
    // BusyBox's tar starts it as a program.
    symlinkSync(placeOf('busybox') ?? 'busybox', join(this.root, 'bin/gzip'))
    // Node takes long to start: what was asked of the same bytes before is answered from a cache.
    const cached = (tool: string) => `mkdir -p "${this.root}/cache"
kept="${this.root}/cache/$({ echo "${tool} $*"; cat "$file"; } 2>/dev/null | sha256sum | cut -c1-64)"
[ -e "$kept.code" ] || { ${process.execPath} ${join(here, `${tool}.ts`)} "$@" >"$kept" 2>"$kept.err"; code=$?; cp "$kept.err" "$kept.errors"; echo $code >"$kept.code"; }
cat "$kept"; cat "$kept.errors" >&2; exit "$(cat "$kept.code")"`
    const host = 'export PATH=/usr/bin:/bin'
    this.program('bin/jsonfilter', `${host}; file=$2\n${cached('jsonfilter')}`)
    this.program(
      'bin/uci',
      `${host}; for file; do :; done
case "$*" in *changes*) cat "${this.root}/tmp/.uci/$file" 2>/dev/null; exit ;; *delete*) exec ${process.execPath} ${join(here, 'uci.ts')} "$@" ;; esac
case $file in /*) ;; *) file="${this.root}/etc/config/\${file%%.*}" ;; esac
${cached('uci')}`,
    )
    this.program('bin/usign', `${host}; exec ${process.execPath} ${join(here, 'usign.ts')} "$@"`)
    this.program(
      'bin/ubus',
      `case $2-$3 in service-event) echo "event $4" >>"${this.root}/calls" ;; *) exec /bin/cat "${this.root}/answers/$2-$3" ;; esac`,
    )
    this.program('bin/fw4', `[ ! -e "${this.root}/fw4" ] || exec /bin/sh "${this.root}/fw4"`)
    this.program('sbin/reboot', log)
    this.program('sbin/jffs2reset', log)
    // A test writes what its sysupgrade says; flashing is writing a version. As the real one: it hands over to procd, whose
    // missing reply ends it with 246, and the image is read seconds later.
    this.program(
      'sbin/sysupgrade',
      `${log}\nimage=; for image; do :; done\n/bin/grep -q '^firmware ' "$image" || { echo 'Invalid image' >&2; exit 1; }\n` +
        `[ "$1" != -T ] || exit 0\necho 'upgrade: Commencing upgrade. Closing all shell sessions.'\n` +
        `(/bin/sleep 3; /bin/sed -n 's/^firmware //p' "$image" >"${this.root}/etc/iotagent_firmware") >/dev/null 2>&1 &\n` +
        `echo 'Command failed: ubus call system sysupgrade { } (Connection failed)' >&2\nexit 246`,
    )
    this.program('sbin/logread', `/bin/cat "${this.root}/log" 2>/dev/null`)
    this.program('etc/init.d/dnsmasq', `# USE_PROCD=1\necho "dnsmasq $1" >>"${this.root}/calls"`)
  }

  /** Uptime is a file: tests move it on. */
  set uptimeS(seconds: number) {
    this.write('proc/uptime', `${seconds}.25 100.00\n`)
  }
  get uptimeS(): number {
    return Number.parseInt(this.read('proc/uptime'), 10)
  }

  /** RAM is lost; then the init script restores what is on trial, before anything else starts. */
  boot(): void {
    for (const path of ['var/run', 'tmp/.uci']) this.remove(path)
    this.uptimeS = 10
    this.write('proc/sys/kernel/random/boot_id', `boot-${process.pid}-${++this.#boots}\n`)
    this.run('usr/sbin/iotagent-guard', ['boot'])
  }
  get env(): Record<string, string> {
    return { PATH: join(this.root, 'bin'), IOTAGENT_ROOT: this.root, HOME: this.root }
  }
  run(script: string, args: string[] = []): string {
    const busybox = join(this.root, 'bin/busybox')
    return execFileSync(busybox, ['ash', join(this.root, script), ...args], {
      env: this.env,
      encoding: 'utf8',
    })
  }
  /** Runs lines after the parts of its agent named: `keys` for `keys.sh`. Returns what they print. */
  ask(parts: readonly string[], lines: string): string {
    const load = ['base', ...parts].map((part) => `. "${join(this.root, 'usr/lib/iotagent', part)}.sh"`)
    return execFileSync(join(this.root, 'bin/busybox'), ['ash', '-c', [...load, lines].join('\n')], {
      env: this.env,
      encoding: 'utf8',
    })
  }
  /** As procd runs an instance. */
  start(name: 'agent' | 'guard'): void {
    const script = join(this.root, 'usr/sbin', name === 'agent' ? 'iotagent' : 'iotagent-guard')
    const child = spawn(join(this.root, 'bin/busybox'), ['ash', script], {
      env: this.env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        this.output += `${name}: ${chunk}`
      })
    this.children.set(name, child)
  }
  /** Without a chance to clean up, as a crash or the power going. */
  async kill(name: string): Promise<void> {
    const child = this.children.get(name)
    this.children.delete(name)
    if (!child?.pid || child.exitCode !== null) return
    const gone = new Promise((done) => child.once('exit', done))
    process.kill(-child.pid, 'SIGKILL')
    await gone
  }
  async powerCycle(): Promise<void> {
    for (const name of [...this.children.keys()]) await this.kill(name)
    this.boot()
    this.start('guard')
    this.start('agent')
  }
  async close(): Promise<void> {
    for (const name of [...this.children.keys()]) await this.kill(name)
    rmSync(this.root, { recursive: true, force: true })
  }
  list(path: string): string[] {
    return existsSync(join(this.root, path)) ? readdirSync(join(this.root, path)) : []
  }
}
