/** The declared configuration pages, and their texts, which only this tab needs. */
import declared from 'virtual:config-pages'
import type { Icon } from '@tabler/icons-react'
import type { ConfigPage } from '#schema/config/config-page'
import type { FormField } from '#schema/kit/field'
import type { Word } from '#schema/kit/words.gen'
import { type ShownField, shownFields, textOr, textsOfWord } from '../kit/form/form-model.ts'

export type DeclaredPage = Pick<
  ConfigPage,
  'name' | 'group' | 'place' | 'carriedBy' | 'trial' | 'filledFrom' | 'live'
> & {
  readonly word: Word
  readonly fields: readonly FormField[]
  readonly Icon: Icon
}

export const pages: readonly DeclaredPage[] = declared
export const pageWords: readonly Word[] = declared.map(({ word }) => word)

export const pageTitle = ({ word, name }: Pick<DeclaredPage, 'word' | 'name'>): string =>
  textOr(`${word}:page`, name) ?? name

export const pageNamed = (name: string): DeclaredPage | undefined => pages.find((page) => page.name === name)

/** The units are shown, because labels do not contain them. */
export const fieldsOfPage = ({ word, fields }: DeclaredPage): readonly ShownField[] =>
  shownFields(
    fields.map(({ name }) => name),
    fields,
    { ...textsOfWord(word), units: true },
  )
