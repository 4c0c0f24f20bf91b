/** The backlog of reports in flash while the platform cannot be reached: the newest ones that fit. */
import type { DatabaseSync } from 'node:sqlite'

export const backlogTables = `
  create table if not exists backlog (id integer primary key, sn text not null, terminal integer not null,
    at integer, boot text not null, up integer not null, body text not null);
  create index if not exists backlog_order on backlog (sn, id);
  create table if not exists dropped (sn text not null, terminal integer not null, n integer not null,
    since integer not null, until integer not null, primary key (sn, terminal)) without rowid;`

export type BacklogRow = {
  id: number
  terminal: number
  /** null: the device had no clock yet; then `up` of `boot` says when. */
  at: number | null
  boot: string
  /** Milliseconds since that boot. */
  up: number
  body: string
}
export type DroppedRow = { terminal: number; n: number; since: number; until: number }

type Write = (run: () => void) => Promise<void>

export function backlogRows(db: DatabaseSync, write: Write) {
  const add = db.prepare(
    'insert into backlog (sn, terminal, at, boot, up, body) values (:sn, :terminal, :at, :boot, :up, :body)',
  )
  const oldest = db.prepare(
    'select id, terminal, at, boot, up, body from backlog where sn = ? and id > ? order by id limit ?',
  )
  const count = db.prepare('select count(*) as n from backlog where sn = ?')
  const time = db.prepare('update backlog set at = ? where id = ?')
  const remove = db.prepare('delete from backlog where id = ?')
  const lastUp = db.prepare('select max(up) as up from backlog where sn = ? and boot = ?')
  const drop = db.prepare(
    `insert into dropped values (:sn, :terminal, 1, :at, :at)
     on conflict do update set n = n + 1, since = min(since, :at), until = max(until, :at)`,
  )
  const dropped = db.prepare('select terminal, n, since, until from dropped where sn = ?')
  const droppedReported = db.prepare(
    'update dropped set n = n - :n, since = min(until, :until + 1) where sn = :sn and terminal = :terminal',
  )
  const settled = db.prepare('delete from dropped where n <= 0')
  const clear = [
    db.prepare('delete from backlog where sn = ?'),
    db.prepare('delete from dropped where sn = ?'),
  ]
  return {
    backlogCount: (sn: string) => Number((count.get(sn) as { n: number }).n),
    /** In the order of their arrival, after this one. */
    oldestBacklog: (sn: string, after: number, limit: number) =>
      oldest.all(sn, after, limit) as unknown as BacklogRow[],
    /** The last known uptime of a boot with stored reports. */
    lastUp: (sn: string, boot: string) => Number((lastUp.get(sn, boot) as { up: number | null }).up ?? 0),
    /** Sets a time that was unknown when the report was stored. */
    timeBacklog: (id: number, at: number) => write(() => time.run(at, id)),
    saveBacklog: (sn: string, row: Omit<BacklogRow, 'id'>) => write(() => add.run({ sn, ...row })),
    removeBacklog: (ids: readonly number[]) =>
      write(() => {
        for (const id of ids) remove.run(id)
      }),
    /** Removed without having been sent; `at` is when it was measured. */
    dropBacklog: (sn: string, { id, terminal }: BacklogRow, at: number) =>
      write(() => {
        remove.run(id)
        drop.run({ sn, terminal, at })
      }),
    droppedBacklog: (sn: string) => dropped.all(sn) as unknown as DroppedRow[],
    /** Reports dropped since then form a separate gap. */
    reportedDropped: (sn: string, { terminal, n, until }: DroppedRow) =>
      write(() => {
        droppedReported.run({ sn, terminal, n, until })
        settled.run()
      }),
    forgetBacklog: (sn: string) =>
      write(() => {
        for (const one of clear) one.run(sn)
      }),
  }
}
