/** The files below /etc of one device: UCI packages and what they name (certificates). What is unchanged is computed. */
import { configHash, packageHash } from '#infra/config-hash'
import { exportUci, parseUci, type UciDoc, type UciPackage } from '#schema/config/uci'
import type { Identity } from '../fleet.ts'
import type { Settings } from '../settings.ts'
import type { FileRow, Store } from '../store.ts'
import type { TextFile } from '../tar-gz.ts'
import { factoryPackage, managedPackages } from './factory.ts'
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

/** A package without its head line, as it stands in /etc/config. */
const fileText = (one: UciPackage): string => exportUci(one).replace(/^package .*\n\n?/, '')

export class ConfigDocument {
  readonly #owner: Owner
  /** null: removed. Packages are parsed once; most devices have none. */
  #packages: ReadonlyMap<string, UciPackage | null> | null = null
  #files: ReadonlyMap<string, string | null> | null = null
  #hash: string | null = null

  constructor(owner: Owner) {
    this.#owner = owner
    this.#take(owner.world.store.files(owner.sn))
  }

  #take(rows: readonly FileRow[]): void {
    this.#hash = null
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

  get hashes(): Record<string, string> {
    return Object.fromEntries(this.names.map((name) => [name, this.hashOf(name) ?? '']))
  }

  get hash(): string {
    this.#hash ??= configHash(this.hashes)
    return this.#hash
  }

  /** A file that is no package; null: it does not exist. */
  file(path: string): string | null {
    return this.#files?.get(path) ?? null
  }

  /** As `sysupgrade -b` would pack them: paths without the first slash. */
  get files(): TextFile[] {
    return [
      ...this.names.flatMap((name) => {
        const one = this.package(name)
        return one ? [{ path: packagePath(name).slice(1), text: fileText(one) }] : []
      }),
      ...[...(this.#files ?? [])].flatMap(([path, text]) =>
        text === null ? [] : [{ path: path.slice(1), text }],
      ),
    ]
  }

  /** Visible at once; resolves when all are on disk. @throws UciFault before anything has changed */
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
    this.#hash = null
    return this.#owner.world.store.forgetFiles(this.#owner.sn)
  }
}
