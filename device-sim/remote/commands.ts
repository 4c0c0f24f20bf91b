/** The commands of the simulated shell: their output comes from the device model. */
import { networkOf } from '#schema/group/group-remote'
import { prefixOfNetmask } from '#schema/kit/network-rules'
import { hostName, lanOf } from '../config/lan.ts'
import type { Part } from '../world.ts'
import { treeOf } from './tree.ts'

type Command = (part: Part, args: readonly string[]) => Iterable<string>

const SEQ_MAX = 5_000_000

function* seq(_part: Part, args: readonly string[]): Generator<string> {
  const [first = 1, last = first] = args.map(Number)
  const from = args.length > 1 ? first : 1
  if (!Number.isSafeInteger(from) || !Number.isSafeInteger(last) || last - from > SEQ_MAX)
    return yield 'seq: bad range'
  for (let i = from; i <= last; i++) yield String(i)
}

function* uciShow({ config }: Part, path: string): Generator<string> {
  const [wanted = '', sectionName, optionName] = path.split('.')
  const names = wanted === '' ? config.names : [wanted]
  let found = false
  for (const name of names) {
    const counts = new Map<string, number>()
    for (const { type, name: own, options } of config.package(name)?.sections ?? []) {
      const index = counts.get(type) ?? 0
      counts.set(type, index + 1)
      const section = own ?? `@${type}[${index}]`
      if (sectionName !== undefined && sectionName !== section) continue
      found = true
      if (optionName === undefined) yield `${name}.${section}=${type}`
      for (const option of options) {
        if (optionName !== undefined && option.name !== optionName) continue
        const values = [option.value].flat().map((value) => `'${value}'`)
        yield `${name}.${section}.${option.name}=${values.join(' ')}`
      }
    }
  }
  if (!found) yield 'uci: Entry not found'
}

function uci(part: Part, [verb, path = '']: readonly string[]): Iterable<string> {
  if (verb === 'show') return uciShow(part, path)
  if (verb !== 'get') return ['Usage: uci show [<config>[.<section>]] | uci get <config>.<section>.<option>']
  return [...uciShow(part, path)].map((line) => line.slice(line.indexOf('=') + 1).replace(/^'(.*)'$/, '$1'))
}

function ubus(part: Part, args: readonly string[]): Iterable<string> {
  if (args[0] === 'list') return ['network.interface', 'service', 'system', 'uci']
  if (args.join(' ') !== 'call system board') return ['Command failed: Not found']
  const { identity, row, config } = part
  const board = {
    kernel: identity.model.kernel,
    hostname: hostName(config.doc),
    model: identity.model.name,
    release: { distribution: 'OpenWrt', version: row.firmware },
  }
  return JSON.stringify(board, null, '\t').split('\n')
}

function cat(part: Part, paths: readonly string[]): Iterable<string> {
  return paths.flatMap((path) => {
    const content = treeOf(part).read(path)
    return content === null
      ? [`cat: can't open '${path}': No such file or directory`]
      : String(content).replace(/\n$/, '').split('\n')
  })
}

const stamp = (at: number) => new Date(at).toISOString().replace('T', ' ').slice(0, 19)

/** As `ip` of BusyBox prints them; other objects are left to `ifconfig` and `uci`. */
function ip({ config, uplink }: Part, [object = '', verb = 'show']: readonly string[]): Iterable<string> {
  if (!'route'.startsWith(object || '-') || !['show', 'list'].includes(verb)) return ['Usage: ip route show']
  const { ip: address, netmask } = lanOf(config.doc)
  const bits = prefixOfNetmask(netmask) ?? 24
  const { interface: name, gateway, problem } = uplink
  return [
    ...(gateway && problem === null ? [`default via ${gateway} dev ${name}`] : []),
    `${networkOf(address, bits)} dev br-lan scope link  src ${address}`,
  ]
}

/** With -l as BusyBox prints them. */
function ls(part: Part, args: readonly string[]): Iterable<string> {
  const isLong = args[0] === '-l'
  const [path = '/etc/config'] = isLong ? args.slice(1) : args
  const tree = treeOf(part)
  const folder = path.replace(/(.)\/$/, '$1')
  if (tree.stat(folder)?.type !== 'folder') return [`ls: ${path}: No such file or directory`]
  if (!isLong) return tree.list(folder)
  return tree.list(folder).map((name) => {
    const entry = tree.stat(`${folder === '/' ? '' : folder}/${name}`)
    const size = String(entry?.sizeBytes ?? 0).padStart(9)
    const mode = entry?.type === 'folder' ? 'drwxr-xr-x    2' : '-rw-r--r--    1'
    return `${mode} root     root     ${size} ${stamp(entry?.modifiedAt ?? part.now()).slice(0, 16)} ${name}`
  })
}

const commands: Readonly<Record<string, Command>> = {
  cat,
  date: (part) => [new Date(part.now()).toUTCString()],
  echo: (_part, args) => [args.join(' ')],
  help: () => [Object.keys(commands).join(' '), 'passwd exit'],
  hostname: ({ config }) => [hostName(config.doc)],
  ifconfig: (part) => [
    `br-lan    inet addr:${lanOf(part.config.doc).ip}`,
    `${part.uplink.interface ?? 'wan'}      inet addr:${part.uplink.ip ?? '-'}`,
  ],
  ip,
  logread: ({ logbook }) =>
    logbook.lines.map(({ at, priority, tag, text }) => `${stamp(at)} daemon.${priority} ${tag}: ${text}`),
  ls,
  ps: ({ services }) =>
    services
      .list()
      .flatMap(({ name, state }, i) => (state === 'running' ? [`${800 + i} root     ${name}`] : [])),
  seq,
  ubus,
  uci,
  uname: ({ identity, config }) => [`Linux ${hostName(config.doc)} ${identity.model.kernel}`],
  whoami: () => ['root'],
}

/** The output of one line. */
export function carryOut(part: Part, line: string): Iterable<string> {
  const [name = '', ...args] = line.trim().split(/\s+/)
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  return command ? command(part, args) : [`-ash: ${name.slice(0, 64)}: not found`]
}
