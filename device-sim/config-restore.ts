/**
 * Restores a configuration file: its files replace those of the same path, the others stay. The former ones are kept
 * until the platform has sent `welcome` [docs/protocol.md: Configuration files].
 */
import { gunzipSync } from 'node:zlib'
import { parseUci, UciFault } from '#schema/config/uci'
import { configFileKind } from '#schema/task/kinds/config-file'
import { type Base, fault } from './base.ts'
import { fileRow } from './config/document.ts'
import { DownloadFailed } from './outcome.ts'
import { restart } from './restart.ts'
import type { FileRow } from './store.ts'
import type { Timer } from './wheel.ts'

/** Seconds from the boot to the platform's welcome, at speed 1. */
const TRIAL_S = 300
const BLOCK = 512
const FOLDER = 'etc/'
const MAX_UNPACKED_BYTES = 32 * 1024 * 1024

const features = [configFileKind.needs ?? []].flat()

const bad = (why: string) => new DownloadFailed('packageVerifyFailed', why)
const text = (block: Buffer, from: number, length: number) =>
  block.toString('utf8', from, from + length).split('\0', 1)[0] ?? ''

/** `path` of an extended header [POSIX.1-2001 pax]; undefined: it has none. */
const paxPath = (body: Buffer) => /(?:^|\n)\d+ path=([^\n]*)\n/.exec(body.toString('utf8'))?.[1]

function placeOf(name: string): string {
  const path = name.replace(/^(\.\/)+/, '')
  if (!path.startsWith(FOLDER) || path.split('/').includes('..'))
    throw bad(`${name.slice(0, 100)} is outside of etc/`)
  return path
}

/** A package that cannot be read would leave its service without a configuration. */
function assertReadable({ path, text: content }: FileRow): void {
  const [, name] = /^\/etc\/config\/([\w-]+)$/.exec(path) ?? []
  try {
    if (name !== undefined) parseUci(name, content ?? '')
  } catch (error) {
    if (!(error instanceof UciFault)) throw error
    throw bad(`${path}, line ${error.line}: ${error.reason}`)
  }
}

/** The files of a verified archive. @throws DownloadFailed packageVerifyFailed */
export function unpackConfig(archive: Buffer): FileRow[] {
  const files: FileRow[] = []
  let tar: Buffer
  try {
    tar = gunzipSync(archive, { maxOutputLength: MAX_UNPACKED_BYTES })
  } catch {
    throw bad('not a readable .tar.gz')
  }
  let longer: string | undefined
  for (let at = 0; at + BLOCK <= tar.length; ) {
    const header = tar.subarray(at, at + BLOCK)
    at += BLOCK
    if (header.every((byte) => byte === 0)) continue
    const size = Number.parseInt(text(header, 124, 12).trim() || '0', 8)
    if (!Number.isSafeInteger(size) || at + size > tar.length) throw bad('the archive is damaged')
    const body = tar.subarray(at, at + size)
    at += Math.ceil(size / BLOCK) * BLOCK
    const type = String.fromCharCode(header[156] || 48)
    if (type === 'L') longer = text(body, 0, size)
    else if (type === 'x') longer = paxPath(body) ?? longer
    if (type === 'L' || type === 'x' || type === 'g') continue
    const prefix = text(header, 257, 5) === 'ustar' ? text(header, 345, 155) : ''
    const name = longer ?? [prefix, text(header, 0, 100)].filter(Boolean).join('/')
    longer = undefined
    if (type !== '0' && type !== '5') throw bad(`${name.slice(0, 100)} is neither a file nor a folder`)
    if (type === '0') files.push(fileRow(`/${placeOf(name)}`, body))
  }
  if (files.length === 0) throw bad('the archive holds no file')
  for (const file of files) assertReadable(file)
  return files
}

export class ConfigRestore {
  readonly #part: Base
  readonly #onFailed: (item: string) => Promise<void>
  #trial: Timer | undefined

  /** `onFailed`: the former configuration is back, because the platform was not reached with the restored one. */
  constructor(part: Base, onFailed: (item: string) => Promise<void>) {
    this.#part = part
    this.#onFailed = onFailed
  }

  /** The hello fields about it, including `commands` in the features. */
  hello(commands: readonly string[]): { features: string[]; configItem?: string } {
    const restored = this.#part.settings.get('restored')
    return { features: [...commands, ...features], ...(restored && { configItem: restored }) }
  }

  /** Resolves when the files are on flash: what is about to be restored survives a power cut. */
  prepare(item: string, files: readonly FileRow[]): Promise<void> {
    return this.#part.settings.put('restoring', { item, files })
  }

  /** The prepared files become the running configuration; until `confirm` the former ones are kept beside them. */
  async apply(): Promise<void> {
    const { settings, config } = this.#part
    const next = settings.get('restoring')
    // A power cut happened between the two steps: this one is done already.
    if (!next) return
    // After another power cut, what is there may be the new files.
    if (settings.get('trial')?.item !== next.item)
      await settings.put('trial', {
        item: next.item,
        formerItem: settings.get('restored'),
        files: next.files.map(({ path }) => ({ path, text: config.textAt(path) })),
      })
    await config.write(next.files)
    await settings.put('restored', next.item)
    await settings.put('restoring', null)
  }

  /** The platform was reached with this configuration. */
  async confirm(): Promise<void> {
    this.#trial?.cancel()
    if (this.#part.settings.get('trial')) await this.#part.settings.put('trial', null)
  }

  booted(): void {
    this.#trial?.cancel()
    const { world, settings } = this.#part
    if (!settings.get('trial')) return
    this.#trial = world.wheel.after((TRIAL_S * 1000) / world.speed, () => {
      this.#goBack().catch(fault(this.#part))
    })
  }

  async #goBack(): Promise<void> {
    const { config, settings } = this.#part
    const trial = settings.get('trial')
    if (!trial || this.#part.power.aborted) return
    this.#part.note('error', 'upgrade', 'the platform was not reached: the former configuration is restored')
    // In one turn: a power cut in between would leave the former files under the name of the restored ones.
    await Promise.all([
      config.write(trial.files),
      settings.put('restored', trial.formerItem),
      settings.put('trial', null),
      this.#onFailed(trial.item),
    ])
    await restart(this.#part)
  }
}
