/** The files below /etc of one device: UCI packages and what they name (certificates). What is unchanged is computed. */
import { configHash, packageHash } from '#infra/config-hash'
import { exportUci, parseUci, type UciDoc, type UciPackage } from '#schema/config/uci'
import type { Identity } from '../fleet.ts'
import type { Settings } from '../settings.ts'
import type { FileRow, Store } from '../store.ts'
import type { TextFile } from '../tar-gz.ts'
import { factoryPackage, managedPackages } from './factory.ts'
import { said } from './said.ts'
import type { Site } from './site.ts'

export type Owner = {
  readonly sn: string
  readonly identity: Identity
  readonly settings: Settings
  readonly world: { readonly seed: number; readonly store: Store }
}

const FOLDER = '/etc/config/'
export const packagePath = (name: string): string => `${FOLDER}${name}`
const nameIn = (path: string): string | null => (path.startsWith(FOLDER) ? path.slice(FOLDER.length) : null)

/** Only the canonical text has it, not the file in /etc/config. */
const HEAD = /^package .*\n\n?/

const BINARY = 'base64:'
/** As it is kept in flash, whose texts are UTF-8. */
export function fileRow(path: string, content: Buffer): FileRow {
  const text = content.toString('utf8')
  const whole = Buffer.from(text).equals(content) && !text.startsWith(BINARY)
  return { path, text: whole ? text : `${BINARY}${content.toString('base64')}` }
}
const contentOf = (text: string): string | Buffer =>
  text.startsWith(BINARY) ? Buffer.from(text.slice(BINARY.length), 'base64') : text

/**
 * Parts of one device read its document several times between its boot and its first status. To keep that of each of
 * 10,000 would cost 200 MB, to compute it each time a third of a processor: those are kept that were computed last.
 */
const latest = new Map<ConfigDocument, UciDoc>()
const LATEST_MAX = 1_500

export class ConfigDocument {
  readonly #owner: Owner
  /** null: removed. Packages are parsed once; most devices have none. */
  #packages: ReadonlyMap<string, UciPackage | null> | null = null
  #files: ReadonlyMap<string, string | null> | null = null
  #hash: string | null = null
  #hashes: Readonly<Record<string, string>> | null = null

  constructor(owner: Owner) {
    this.#owner = owner
    this.#take(owner.world.store.files(owner.sn))
  }

  #changed(): void {
    this.#hash = null
    this.#hashes = null
    latest.delete(this)
  }

  #take(rows: readonly FileRow[]): void {
    this.#changed()
    for (const { path, text } of rows) {
      const name = nameIn(path)
      if (name === null) this.#files = new Map([...(this.#files ?? []), [path, text]])
      else
        this.#packages = new Map([
          ...(this.#packages ?? []),
          [name, text === null ? null : parseUci(name, text)],
        ])
    }
  }

  get site(): Site {
    const { identity, settings, world } = this.#owner
    return { identity, seed: world.seed, configured: settings.get('config') > 0 }
  }

  /** The managed packages that exist. */
  get names(): readonly string[] {
    const own = [...managedPackages(this.site)]
    for (const [name, one] of this.#packages ?? []) {
      if (one !== null && !own.includes(name)) own.push(name)
      if (one === null && own.includes(name)) own.splice(own.indexOf(name), 1)
    }
    return own
  }

  package(name: string): UciPackage | undefined {
    const changed = this.#packages?.get(name)
    return changed === undefined ? factoryPackage(this.site, name) : (changed ?? undefined)
  }

  get doc(): UciDoc {
    const known = latest.get(this)
    if (known) return known
    const made = this.#whole()
    for (const oldest of latest.keys()) {
      if (latest.size < LATEST_MAX) break
      latest.delete(oldest)
    }
    latest.set(this, made)
    return made
  }

  #whole(): UciDoc {
    return Object.fromEntries(
      this.names.flatMap((name) => {
        const one = this.package(name)
        return one ? [[name, one]] : []
      }),
    )
  }

  /** Canonical text; undefined: it does not exist. */
  text(name: string): string | undefined {
    const one = this.package(name)
    return one && exportUci(one)
  }

  /** null: it does not exist. */
  hashOf(name: string): string | null {
    const text = this.text(name)
    return text === undefined ? null : packageHash(text)
  }

  get hashes(): Readonly<Record<string, string>> {
    this.#hashes ??= Object.fromEntries(
      Object.entries(this.doc).map(([name, one]) => [name, packageHash(exportUci(one))]),
    )
    return this.#hashes
  }

  get hash(): string {
    this.#hash ??= configHash(this.hashes)
    return this.#hash
  }

  /** As it is kept (see `fileRow`), of packages the canonical text; null: it does not exist. */
  textAt(path: string): string | null {
    const name = nameIn(path)
    return name === null ? (this.#files?.get(path) ?? null) : (this.text(name) ?? null)
  }

  /** As `sysupgrade -b` would pack them: paths without the first slash, each byte as it was written. */
  get files(): TextFile[] {
    const { sn, world } = this.#owner
    const kept = new Map(world.store.files(sn).map(({ path, text }) => [path, text]))
    const packages = this.names.map((name) => {
      const path = packagePath(name)
      return [path, kept.get(path) ?? this.text(name) ?? ''] as const
    })
    const others = [...kept].flatMap(([path, text]) =>
      text === null || nameIn(path) !== null ? [] : [[path, text] as const],
    )
    const keys = this.#authorizedKeys()
    return [
      ...keys,
      ...packages.map(([path, text]) => ({ path: path.slice(1), text: text.replace(HEAD, '') })),
      ...others.map(([path, text]) => ({ path: path.slice(1), text: contentOf(text) })),
    ]
  }

  /** The agent writes it from the package. */
  #authorizedKeys(): TextFile[] {
    const lines = (this.package('sshkeys')?.sections ?? []).map((section) => said(section, 'line'))
    return lines.length === 0
      ? []
      : [{ path: 'etc/dropbear/authorized_keys', text: lines.map((line) => `${line}\n`).join('') }]
  }

  /** Visible immediately; resolves when all are on disk. @throws UciFault before anything has changed */
  write(rows: readonly FileRow[]): Promise<void> {
    for (const { path, text } of rows) {
      const name = nameIn(path)
      if (name !== null && text !== null) parseUci(name, text)
    }
    this.#take(rows)
    return this.#owner.world.store.saveFiles(this.#owner.sn, rows)
  }

  /** After the settings have changed to those of the factory; resolves when it is on disk. */
  forget(): Promise<void> {
    this.#packages = null
    this.#files = null
    this.#changed()
    return this.#owner.world.store.forgetFiles(this.#owner.sn)
  }
}
