/**
 * Keeps the keyboard where the user works. Without it, the focus falls back to the start of the document when its
 * element disappears: a dialog that is unmounted instead of closed, a menu whose entry opened a dialog, a page that is
 * hidden behind another tab.
 */
import { useEffect, useLayoutEffect, useRef } from 'react'
import { content, focusContent } from '../kit/page/focus-content.ts'

const REMEMBERED = 8
/** Mantine returns the focus itself 10 ms after closing; only what it leaves behind is handled here. */
const AFTER_MANTINE_MS = 60
const OVERLAY = '[role=dialog], [role=menu], [role=listbox]'

const isLost = () => document.activeElement === null || document.activeElement === document.body
const isReachable = (element: HTMLElement) =>
  element.isConnected && element.checkVisibility({ visibilityProperty: true })

/** Returns the focus to the latest element outside of overlays that is still there, else to the content. */
function useReturn() {
  useEffect(() => {
    let recent: HTMLElement[] = []
    let timer: ReturnType<typeof setTimeout> | undefined
    const back = () => {
      if (!isLost()) return
      const last = recent.find(isReachable)
      if (last) last.focus({ preventScroll: true })
      else focusContent()
    }
    /** Overlays are removed from the document; the observer works only while one has the focus. */
    const removed = new MutationObserver(() => {
      if (!isLost()) return
      removed.disconnect()
      clearTimeout(timer)
      timer = setTimeout(back, AFTER_MANTINE_MS)
    })
    const enter = ({ target }: FocusEvent) => {
      if (!(target instanceof HTMLElement)) return
      if (target.closest(OVERLAY)) return removed.observe(document.body, { childList: true, subtree: true })
      removed.disconnect()
      recent = [target, ...recent.filter((one) => one !== target)].slice(0, REMEMBERED)
    }
    document.addEventListener('focusin', enter)
    return () => {
      clearTimeout(timer)
      removed.disconnect()
      document.removeEventListener('focusin', enter)
    }
  }, [])
}

/**
 * Rendered once in the shell; `page` identifies the visible one. A page opened by URL leaves the focus at the start of
 * the document, where the skip link is; a later one takes it, unless it has placed it itself.
 */
export function useFocusKeeper(page: string | undefined) {
  useReturn()
  const before = useRef(page)
  useLayoutEffect(() => {
    const moved = before.current !== undefined && before.current !== page
    before.current = page
    if (!moved) return
    const held = document.activeElement
    if (held?.closest(OVERLAY) || (held && content()?.contains(held) && held !== content())) return
    focusContent()
  }, [page])
}
