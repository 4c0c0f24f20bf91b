/** Reports of a gateway leave in the order in which they came, however long the database takes for which plan. */
import { expect, it } from 'vitest'
import type { Sql } from '#infra/postgres'
import { openPlans } from './plans.ts'

type Row = { deviceId: number; revision: number; offset: number; scales: object | null; madeAt: number }

/** A database whose questions are answered by the test, in any order. */
function openTrial(missing: readonly number[] = []) {
  const questions: { revisions: number[]; answer(): void; fail(): void }[] = []
  const sql = (_: TemplateStringsArray, devices: number[], revisions: number[]) =>
    new Promise<Row[]>((good, bad) => {
      const row = (revision: number, i: number): Row => ({
        deviceId: devices[i] ?? 0,
        revision,
        offset: 0,
        scales: missing.includes(revision) ? null : {},
        madeAt: 0,
      })
      questions.push({
        revisions,
        answer: () => good(revisions.map(row)),
        fail: () => bad(new Error('the database is away')),
      })
    })
  const plans = openPlans(() => sql as unknown as Sql, { warn: () => undefined })
  const left: string[] = []
  return {
    questions,
    left,
    /** A report of gateway 1 by a revision of its plan. */
    report: (name: string, revision: number, deviceId = 1) =>
      plans.find(deviceId, revision, (plan) => left.push(`${name} by ${plan?.revision ?? 'none'}`)),
    asked: (n: number) => expect.poll(() => questions).toHaveLength(n),
  }
}

it('a report whose plan is read first does not overtake one whose plan is read later', async () => {
  const { questions, left, report, asked } = openTrial()
  report('a', 1)
  await asked(1)
  report('b', 2)
  await asked(2)
  questions[1]?.answer()
  await expect.poll(() => questions).toHaveLength(2)
  expect(left).toEqual([])
  questions[0]?.answer()
  await expect.poll(() => left).toEqual(['a by 1', 'b by 2'])
})

it('reports by one plan keep their order, also those that come between the question and its answer', async () => {
  const { questions, left, report, asked } = openTrial()
  report('a', 1)
  await asked(1)
  report('b', 1)
  questions[0]?.answer()
  await expect.poll(() => left.length).toBeGreaterThan(0)
  report('c', 1)
  await expect.poll(() => left).toEqual(['a by 1', 'b by 1', 'c by 1'])
  expect(questions).toHaveLength(1)
})

it('a plan that does not exist delays neither its gateway nor others', async () => {
  const { questions, left, report, asked } = openTrial([9])
  report('a', 9)
  report('b', 1)
  await asked(1)
  report('other', 1, 2)
  await asked(2)
  questions[1]?.answer()
  await expect.poll(() => left).toEqual(['other by 1'])
  questions[0]?.answer()
  await expect.poll(() => left).toEqual(['other by 1', 'a by none', 'b by 1'])
  // Not asked for again at once.
  report('c', 9)
  expect(left.at(-1)).toBe('c by none')
})

it('while the database is unavailable they wait, and keep their order', async () => {
  const { questions, left, report, asked } = openTrial()
  report('a', 1)
  await asked(1)
  questions[0]?.fail()
  report('b', 2)
  await asked(2)
  questions.find(({ revisions }) => revisions.includes(2))?.answer()
  await asked(3)
  questions[2]?.answer()
  await expect.poll(() => left).toEqual(['a by 1', 'b by 2'])
})
