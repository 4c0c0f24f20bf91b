import { describe, expect, it } from 'vitest'
import { languages } from '../kit/refusal.ts'
import { allFunctionIds, allMenuIds, functions, menus, templateRoles } from './functions.ts'
import {
  functionNames,
  menuNames,
  parentNames,
  roleText,
  templateAbout,
  templateNames,
} from './permission-names.ts'
import { permissionTree } from './permission-tree.ts'

describe('names of permissions', () => {
  it.each([
    ['function', Object.keys(functions), functionNames],
    ['menu', Object.keys(menus), menuNames],
    ['template role', Object.keys(templateRoles), templateNames],
    ['template role (what it is for)', Object.keys(templateRoles), templateAbout],
  ] as const)('gives every %s a name in three languages, no two alike', (_kind, keys, texts) => {
    expect(Object.keys(texts).sort()).toEqual([...keys].sort())
    for (const language of languages) {
      const said = Object.values(texts).map((entry) => entry[language])
      expect(said.filter((text) => text.trim() === '')).toEqual([])
      expect(said.filter((text, i) => said.indexOf(text) !== i)).toEqual([])
    }
  })

  it('names a template in the reader’s language, any other role as it was named', () => {
    expect(roleText('viewer', true, 'en-US')).toBe('Viewer')
    expect(roleText('viewer', false, 'zh-CN')).toBe('viewer')
  })
})

describe('the tree of permissions', () => {
  const pages = permissionTree.flatMap((section) => section.pages)
  it('holds every function once', () => {
    expect(pages.flatMap((page) => page.functions.map(({ id }) => id)).sort()).toEqual(
      [...allFunctionIds].sort(),
    )
  })
  it('holds every menu once', () => {
    expect(pages.flatMap(({ menuId }) => menuId ?? []).sort()).toEqual([...allMenuIds].sort())
  })
  it('names every section but the account, which the console names', () => {
    for (const { section } of permissionTree)
      expect(section === 'account' || section in parentNames).toBe(true)
  })
})
