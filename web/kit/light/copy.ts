/** Copies a text: over plain HTTP, as on the first evening, browsers give a page no clipboard. */
import { useState } from 'react'

const SHOWN_MS = 1500

/** The browser's own, older way, which copies what is selected. */
function copySelected(text: string): boolean {
  const focused = document.activeElement
  const area = document.createElement('textarea')
  area.value = text
  area.readOnly = true
  area.style.cssText = 'position: fixed; opacity: 0'
  // An open dialog would take the focus back from outside of it.
  const around = focused?.closest('[role=dialog]') ?? document.body
  around.append(area)
  area.select()
  const isCopied = document.execCommand('copy')
  area.remove()
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true })
  return isCopied
}

async function copyText(text: string): Promise<boolean> {
  if (!window.isSecureContext) return copySelected(text)
  return navigator.clipboard.writeText(text).then(
    () => true,
    () => copySelected(text),
  )
}

/** `copied` is true for a moment afterwards. */
export function useCopy() {
  const [copied, setCopied] = useState(false)
  const copy = async (text: string) => {
    if (!(await copyText(text))) return
    setCopied(true)
    setTimeout(() => setCopied(false), SHOWN_MS)
  }
  return { copied, copy: (text: string) => void copy(text) }
}
