/**
 * A device's flash memory: what it must still know after losing power. SQLite, one file for the whole fleet;
 * simultaneous writes share one commit, so that 10,000 devices can each wait for theirs.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { SettingError } from '#infra/env'
import type { TaskFailure } from '#schema/kit/task-kind'
import { backlogRows, backlogTables } from './gateway/backlog-rows.ts'

/** `known`: the offer is stored, work has not begun. The others as in `progress`; `cancelled` revokes the item. */
export type ItemStep =
  | 'known'
  | 'connected'
  | 'downloading'
  | 'downloaded'
  | 'upgrading'
  | 'done'
  | 'failed'
  | 'cancelled'

export type DeviceRow = {
  sn: string
  secret: string | null
  firmware: string
  packages: string
}
/** A file below /etc that is not as it left the factory; null: removed. */
export type FileRow = { path: string; text: string | null }
export type ItemRow = {
  sn: string
  id: string
  /** The offer as received (JSON); null if `cancel` came first. */
  offer: string | null
  step: ItemStep
  failure: TaskFailure | null
  detail: string | null
  /** The simulated failure of this item. */
  fault: TaskFailure | null
  installs: number
  /** 1 when the platform has acknowledged the report of its end. */
  reported: number
  at: number
}
export type CommandRow = {
  sn: string
  id: string
  name: string
  state: 'accepted' | 'done' | 'failed'
  /** JSON: result, or error text. */
  answer: string | null
  at: number
}

/** A commit waits for the disk, and no device goes on meanwhile: where many wait for one, more are gathered. */
const GROUP_MS = { few: 5, many: 20 }
const MANY = 8
const KEPT_MS = 90 * 86_400_000

export type Store = ReturnType<typeof openStore>

/** Opens (or creates) the state under `dir`. @throws SettingError if another simulator has locked it. */
export function openStore(dir: string) {
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  const db = new DatabaseSync(join(dir, 'state.sqlite'))
  try {
    db.exec(`pragma locking_mode = exclusive; pragma journal_mode = wal; pragma synchronous = full;
      create table if not exists devices (sn text primary key, secret text, firmware text not null,
        packages text not null) without rowid;
      create table if not exists files (sn text not null, path text not null, text text,
        primary key (sn, path)) without rowid;
      create table if not exists items (sn text not null, id text not null, offer text, step text not null,
        failure text, detail text, fault text, installs integer not null, reported integer not null, at integer not null,
        primary key (sn, id));
      create table if not exists commands (sn text not null, id text not null, name text not null,
        state text not null, answer text, at integer not null, primary key (sn, id)) without rowid;
      create table if not exists memory (sn text not null, key text not null, value text not null,
        primary key (sn, key)) without rowid;${backlogTables}
      delete from commands where at < ${Date.now() - KEPT_MS};`)
    // A column of earlier versions, which kept no files.
    if (db.prepare(`select 1 from pragma_table_info('devices') where name = 'configHash'`).get())
      db.exec('alter table devices drop column configHash')
  } catch (error) {
    throw new SettingError(
      `the simulator's state in ${dir} cannot be used (${(error as Error).message}): stop the other simulator or set another DATA_DIR`,
    )
  }
  const put = {
    device: db.prepare('insert or replace into devices values (:sn, :secret, :firmware, :packages)'),
    file: db.prepare('insert or replace into files values (:sn, :path, :text)'),
    noFiles: db.prepare('delete from files where sn = ?'),
    // An update instead of a replacement: the row number is the order of arrival.
    item: db.prepare(
      `insert into items values (:sn, :id, :offer, :step, :failure, :detail, :fault, :installs, :reported, :at)
       on conflict do update set offer = :offer, step = :step, failure = :failure, detail = :detail,
         installs = :installs, reported = :reported, at = :at`,
    ),
    memory: db.prepare('insert or replace into memory values (:sn, :key, :value)'),
    command: db.prepare('insert or replace into commands values (:sn, :id, :name, :state, :answer, :at)'),
  }
  const get = {
    devices: db.prepare('select * from devices'),
    item: db.prepare('select * from items where sn = ? and id = ?'),
    open: db.prepare(
      `select * from items where sn = ? and (step not in ('done', 'failed', 'cancelled') or reported = 0) order by rowid`,
    ),
    command: db.prepare('select * from commands where sn = ? and id = ?'),
    memory: db.prepare('select key, value from memory where sn = ?'),
    files: db.prepare('select path, text from files where sn = ?'),
    accepted: db.prepare(`select * from commands where sn = ? and state = 'accepted'`),
  }

  let waiting: { done(): void; fail(error: unknown): void }[] = []
  let groupMs = GROUP_MS.few
  const commit = () => {
    const group = waiting
    waiting = []
    groupMs = group.length < MANY ? GROUP_MS.few : GROUP_MS.many
    try {
      db.exec('commit')
    } catch (error) {
      db.exec('rollback')
      for (const one of group) one.fail(error)
      return
    }
    for (const one of group) one.done()
  }
  /**
   * Runs immediately and is visible to reads immediately; resolves when it is on disk together with its neighbours.
   */
  const write = (run: () => void): Promise<void> => {
    if (waiting.length === 0) {
      db.exec('begin')
      setTimeout(commit, groupMs)
    }
    return new Promise<void>((done, fail) => {
      waiting.push({ done, fail })
      run()
    })
  }

  return {
    devices: () => get.devices.all() as DeviceRow[],
    saveDevice: (row: DeviceRow) => write(() => put.device.run(row)),
    item: (sn: string, id: string) => get.item.get(sn, id) as ItemRow | undefined,
    /** Items in progress, and ended ones whose end was not acknowledged; oldest first. */
    openItems: (sn: string) => get.open.all(sn) as ItemRow[],
    saveItem: (row: ItemRow) => write(() => put.item.run(row)),
    /** A finished installation: the running version and the end of the item are stored together. */
    saveInstalled: (device: DeviceRow, item: ItemRow) =>
      write(() => {
        put.device.run(device)
        put.item.run(item)
      }),
    command: (sn: string, id: string) => get.command.get(sn, id) as CommandRow | undefined,
    /** Settings of a device, as JSON by key. */
    memory: (sn: string) => get.memory.all(sn) as { key: string; value: string }[],
    saveMemory: (sn: string, key: string, value: unknown) =>
      write(() => put.memory.run({ sn, key, value: JSON.stringify(value) })),
    files: (sn: string) => get.files.all(sn) as FileRow[],
    /** All of them or none, together with what else is written in the same turn. */
    saveFiles: (sn: string, files: readonly FileRow[]) =>
      write(() => {
        for (const { path, text } of files) put.file.run({ sn, path, text })
      }),
    /** As it left the factory. */
    forgetFiles: (sn: string) => write(() => put.noFiles.run(sn)),
    acceptedCommands: (sn: string) => get.accepted.all(sn) as CommandRow[],
    saveCommand: (row: CommandRow) => write(() => put.command.run(row)),
    ...backlogRows(db, write),
    close: async () => {
      if (waiting.length > 0) await write(() => undefined)
      db.close()
    },
  }
}
