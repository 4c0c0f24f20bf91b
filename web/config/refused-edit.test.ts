import { expect, it } from 'vitest'
import { refusedEdit } from './refused-edit.ts'

const fault = (path: string | null) => ({ page: 'firewall', path, place: 'firewall.@rule[1]', reason: 'no' })
const pages = (...changed: string[]) => [
  { name: 'firewall', changed },
  { name: 'wan', changed: ['metric'] },
]
const refused = (path: string | null, changed: string[], page = 'firewall') =>
  refusedEdit({ fault: fault(path), pages: pages(...changed) }, page)

it('a refusal is told at the field while its edit is in the draft', () => {
  expect(refused('rules.1.destPort', ['rules'])).toEqual({ path: 'rules.1.destPort', reason: 'no' })
  expect(refused(null, ['rules'])).toEqual({ path: null, reason: 'no' })
})

it('and no more once the edit is discarded, nor on another page', () => {
  expect(refused('rules.1.destPort', [])).toBeNull()
  expect(refused('rules.1.destPort', ['zones'])).toBeNull()
  expect(refused(null, [])).toBeNull()
  expect(refused('metric', ['rules'], 'wan')).toBeNull()
  expect(refusedEdit({ fault: null, pages: pages('rules') }, 'firewall')).toBeNull()
})
