import { expect, it } from 'vitest'
import {
  added,
  changed,
  copied,
  draftOf,
  movedTo,
  redone,
  undone,
  type Widget,
  without,
} from './panel-draft.ts'

const widget = (key: string, x = 0): Widget => ({
  key,
  kind: 'figure',
  x,
  y: 0,
  w: 4,
  h: 3,
  title: '',
  variables: [],
})
const keys = ({ now }: { now: readonly Widget[] }) => now.map(({ key }) => key)

it('each change can be undone and done again', () => {
  const one = changed(draftOf([]), [widget('a')])
  const two = changed(one, [widget('a'), widget('b', 4)])
  const back = undone(undone(two))
  expect(keys(back)).toEqual([])
  expect(keys(redone(redone(back)))).toEqual(['a', 'b'])
  expect(redone(two)).toBe(two)
  expect(undone(draftOf([]))).toEqual(draftOf([]))
})

it('a change after an undo ends what could be done again', () => {
  const back = undone(changed(draftOf([]), [widget('a')]))
  expect(changed(back, [widget('b')]).future).toEqual([])
})

it('changes with the same mark, such as the letters of a title, are one undo step', () => {
  const typed = ['P', 'Pu', 'Pump'].reduce(
    (draft, title) => changed(draft, [{ ...widget('a'), title }], 'title a'),
    draftOf([widget('a')]),
  )
  expect(undone(typed).now[0]?.title).toBe('')
  const other = changed(typed, [{ ...widget('a'), title: 'Pump', x: 1 }], 'keys a')
  expect(undone(other).now[0]?.title).toBe('Pump')
})

it('what changes nothing is no step', () => {
  const draft = draftOf([widget('a')])
  expect(changed(draft, movedTo(draft.now, 'a', { x: -5 }))).toBe(draft)
})

it('keys stay distinct, also after one was removed', () => {
  const two = added(added([], 'figure')?.list ?? [], 'trend')?.list ?? []
  const three = added(without(two, two[0]?.key ?? ''), 'map')
  expect(new Set(three?.list.map(({ key }) => key)).size).toBe(2)
  expect(copied(two, two[1]?.key ?? '')?.list).toHaveLength(3)
})
