/** A setting or a parameter that no code reads would be a false declaration: operators would set it without effect. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { settings } from '#infra/settings'
import { parameters } from '#schema/platform/parameter-list'
import { root, tracked } from './tracked-files.ts'

/** Where they are declared. */
const declarations = /(settings|parameters|parameter-list)\.ts$/
const sources = tracked
  .filter((path) => /^(admin|api|broker|device-sim|infra|launch|ops|schema|workers)\/.*\.ts$/.test(path))
  .filter((path) => !/\.(test|gen)\.ts$/.test(path) && !declarations.test(path))
  .map((path) => readFileSync(join(root, path), 'utf8'))

/** The names that no source reads as a property, a text or a destructured variable. */
const unread = (names: readonly string[], texts: readonly string[] = sources) =>
  names.filter((name) => {
    const use = new RegExp(`[.'"{,]\\s*${name}\\b`)
    return !texts.some((text) => use.test(text))
  })

describe('every declared', () => {
  it('setting is read', () => {
    expect(unread(Object.keys(settings.shape))).toEqual([])
  })

  it('parameter is read', () => {
    expect(unread(Object.keys(parameters))).toEqual([])
  })

  it('name that nothing reads is found', () => {
    expect(unread(['HTTP_PORT', 'PIGEON_PORT'])).toEqual(['PIGEON_PORT'])
    expect(unread(['NAME'], ['// NAME is only mentioned'])).toEqual(['NAME'])
    expect(unread(['NAME'], ['const { OTHER, NAME } = env'])).toEqual([])
  })
})
