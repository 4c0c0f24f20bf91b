/** Links to pages that some users may not open: the route guard would send them to /404. */
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Screen } from '#schema/kit/screen'
import { holdsScreen } from './session.ts'

/** Where a link to a page leads; null for a user who may not open the page. */
export const ifHeld = (screen: Pick<Screen, 'menuId' | 'permission'>, path: string): string | null =>
  holdsScreen(screen) ? path : null

type Props = {
  to: string | null
  className?: string | undefined
  title?: string | undefined
  children: ReactNode
}

/** Without an address only its text. */
export function PageLink({ to, children, ...shown }: Props) {
  if (to !== null)
    return (
      <Link to={to} {...shown}>
        {children}
      </Link>
    )
  return shown.className || shown.title ? <span {...shown}>{children}</span> : children
}
