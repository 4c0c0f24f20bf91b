/** [§2 Layout] Links that the operator must show beside the copyright, before and after the login. */
import { useEffect, useState } from 'react'
import { type Filing, getFilings } from '#schema/platform/filing'
import { request } from '../api.ts'

/** Settings of the installation: fetched once per visit. */
let asked: Promise<readonly Filing[]> | undefined

function askOnce(): Promise<readonly Filing[]> {
  // Not cancelled by a navigation: the footer stays the same on all pages, and would not ask again.
  asked ??= request(getFilings, {}, new AbortController().signal).then(
    ({ list }) => list,
    () => {
      // A missing footer blocks no one; the login, and each load of the console, tries again.
      asked = undefined
      return []
    },
  )
  return asked
}

export function useFilings(): readonly Filing[] {
  const [filings, setFilings] = useState<readonly Filing[]>([])
  useEffect(() => {
    let gone = false
    void askOnce().then((list) => {
      if (!gone) setFilings(list)
    })
    return () => {
      gone = true
    }
  }, [])
  return filings
}

export const FilingLinks = ({ filings }: { filings: readonly Filing[] }) =>
  filings.map(({ text, url }) => (
    <a key={text} href={url} target="_blank" rel="noreferrer">
      {text}
    </a>
  ))
