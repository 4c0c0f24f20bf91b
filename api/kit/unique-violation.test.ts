import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { whenTaken } from './unique-violation.ts'

const root = new URL('../../', import.meta.url)
const read = (file: string) => readFileSync(new URL(file, root), 'utf8')

const violation = (index: string) =>
  Object.assign(new Error('duplicate key'), { code: '23505', constraint_name: index })

describe('a violated unique index', () => {
  const refused = whenTaken({
    names: () => {
      throw new Error('that name is taken')
    },
  })

  it('becomes its refusal, also where the driver’s error is the cause of another', async () => {
    await expect(Promise.reject(violation('names')).catch(refused)).rejects.toThrow('that name is taken')
    const wrapped = new Error('statement failed', { cause: violation('names') })
    await expect(Promise.reject(wrapped).catch(refused)).rejects.toThrow('that name is taken')
  })

  it('stays the error that it is, if it is another index or none', async () => {
    const other = violation('numbers')
    await expect(Promise.reject(other).catch(refused)).rejects.toBe(other)
    const fault = new Error('connection lost')
    await expect(Promise.reject(fault).catch(refused)).rejects.toBe(fault)
  })

  it('is named as the database names it', () => {
    const indexes = new Set(
      [
        ...read('schema/migrations/0000_baseline.sql').matchAll(
          /UNIQUE INDEX "(\w+)"|CONSTRAINT "(\w+)" UNIQUE/g,
        ),
      ].map(([, index, constraint]) => index ?? constraint),
    )
    const named = globSync('api/**/*.ts', { cwd: root })
      .filter((file) => !file.endsWith('.test.ts'))
      .map(read)
      .filter((text) => text.includes('whenTaken({'))
      .flatMap((text) => [...text.matchAll(/\b([a-z0-9]+(?:_[a-z0-9]+)+): (?:\(\) =>|known\b|exists\b)/g)])
      .map(([, index]) => index)
    expect(named.length).toBeGreaterThan(30)
    expect(named.filter((index) => !indexes.has(index))).toEqual([])
  })
})
