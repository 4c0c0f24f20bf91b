/**
 * Rows in the binary format of PostgreSQL's COPY, encoded when their messages arrive: until the commit there are no objects for the garbage collector to copy again and again, and PostgreSQL has no text to parse.
 * https://www.postgresql.org/docs/current/sql-copy.html#SQL-COPY-FILE-FORMATS-BINARY
 */
import type { Cell, CellType, HotUplink } from './uplink.ts'

/** The bytes of one row. */
export type Row = { readonly block: Buffer; readonly from: number; readonly to: number }

const BLOCK_BYTES = 64 * 1024
const HEADER = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1')
const TRAILER = Buffer.from([0xff, 0xff])
const NULL = -1
const WORD = 2 ** 32
/** PostgreSQL's timestamps are microseconds since 2000. */
const EPOCH_MS = Date.UTC(2000, 0)

/** Bytes of the types of fixed length. */
const lengths = { integer: 4, real: 4, bigint: 8, instant: 8 } as const

/** PostgreSQL's real refuses numbers below 1e-37 as text; they are stored as 0. */
const asReal = (value: number) => (Math.abs(value) < 1e-30 ? 0 : value)

function putWide(view: DataView, at: number, value: number): void {
  const high = Math.floor(value / WORD)
  view.setInt32(at, high)
  view.setUint32(at + 4, value - high * WORD)
}
const getWide = (view: DataView, at: number) => view.getInt32(at) * WORD + view.getUint32(at + 4)

function putNumber(view: DataView, at: number, type: Exclude<CellType, 'text'>, value: number): void {
  if (type === 'integer') view.setInt32(at, value)
  else if (type === 'real') view.setFloat32(at, asReal(value))
  else putWide(view, at, type === 'instant' ? (value - EPOCH_MS) * 1000 : value)
}

function getNumber(view: DataView, at: number, type: Exclude<CellType, 'text'>): number {
  if (type === 'integer') return view.getInt32(at)
  if (type === 'real') return view.getFloat32(at)
  return type === 'instant' ? getWide(view, at) / 1000 + EPOCH_MS : getWide(view, at)
}

/** Numbers must fit their columns: the declaration of the message ensures it. */
export function copyRows({ table, columns }: Pick<HotUplink, 'table' | 'columns'>) {
  const types = Object.values(columns)
  const fixed = 2 + types.reduce((sum, type) => sum + 4 + (type === 'text' ? 0 : lengths[type]), 0)
  const texts = types.flatMap((type, i) => (type === 'text' ? [i] : []))
  let block = Buffer.alloc(0)
  let view = new DataView(block.buffer, block.byteOffset)
  let end = 0

  function makeRoom(cells: readonly Cell[]): void {
    let most = fixed
    // Each unit of UTF-16 takes at most three bytes.
    for (const i of texts) most += String(cells[i] ?? '').length * 3
    if (end + most <= block.length) return
    block = Buffer.allocUnsafeSlow(Math.max(BLOCK_BYTES, most))
    view = new DataView(block.buffer)
    end = 0
  }

  function put(type: CellType, value: Cell): void {
    if (value === null) {
      view.setInt32(end, NULL)
      end += 4
    } else if (type === 'text') {
      const bytes = block.write(String(value), end + 4)
      view.setInt32(end, bytes)
      end += 4 + bytes
    } else {
      const bytes = lengths[type]
      view.setInt32(end, bytes)
      putNumber(view, end + 4, type, value as number)
      end += 4 + bytes
    }
  }

  return {
    statement: `copy ${table} (${Object.keys(columns).join(', ')}) from stdin (format binary)`,

    row: (cells: readonly Cell[]): Row => {
      makeRoom(cells)
      const from = end
      view.setInt16(end, types.length)
      end += 2
      for (let i = 0; i < types.length; i++) put(types[i] as CellType, cells[i] ?? null)
      return { block, from, to: end }
    },

    /** The data for COPY: all rows, with adjacent ones as one chunk. */
    data: (rows: readonly Row[]): Buffer => {
      const parts: Uint8Array[] = [HEADER]
      for (let i = 0; i < rows.length; ) {
        const { block: own, from, to } = rows[i++] as Row
        let stop = to
        for (; rows[i]?.block === own && rows[i]?.from === stop; i++) stop = (rows[i] as Row).to
        parts.push(own.subarray(from, stop))
      }
      parts.push(TRAILER)
      return Buffer.concat(parts)
    },

    /** The cells of a row. */
    cells: ({ block: own, from }: Row): Cell[] => {
      const read = new DataView(own.buffer, own.byteOffset)
      let at = from + 2
      return types.map((type) => {
        const bytes = read.getInt32(at)
        const begin = at + 4
        at = begin + Math.max(0, bytes)
        if (bytes === NULL) return null
        return type === 'text' ? own.toString('utf8', begin, at) : getNumber(read, begin, type)
      })
    },
  }
}
