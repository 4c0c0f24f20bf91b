import { expect, it } from 'vitest'
import { LIST_PAGE_MAX, SEARCH_MAX } from '#schema/kit/list'
import { searchParameter } from './list-state.ts'
import { lastPage, pageNumber } from './page-number.ts'

it.each([
  ['3', 3],
  ['0', 1],
  ['-7', 1],
  ['99999999999', LIST_PAGE_MAX],
  ['x', null],
])('a page %s in a URL is page %j', (text, page) => {
  expect(pageNumber.parse(text)).toBe(page)
})

it.each([
  [0, 1],
  [10, 1],
  [11, 2],
])('of %i rows the last page is %i', (total, page) => {
  expect(lastPage(total, 10)).toBe(page)
})

it('a search in a URL is cut to what a list accepts', () => {
  expect(searchParameter.parse('x'.repeat(SEARCH_MAX + 50))).toBe('x'.repeat(SEARCH_MAX))
})
