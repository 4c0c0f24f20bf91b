import type { RouteObject } from 'react-router'
import { loadWords } from '../kit/i18n.ts'
import { guard } from './guard.ts'
import { loadScreenTitles } from './screen-titles.ts'
import { screens } from './screens.ts'
import { Shell } from './shell.tsx'
import { shellTexts } from './shell-texts.ts'

const Nothing = () => null

/** The shell and every declared screen that has a page. */
export function shellRoutes(): RouteObject[] {
  return [
    {
      element: <Shell />,
      loader: async () => {
        await Promise.all([loadWords(shellTexts), loadScreenTitles()])
        return null
      },
      shouldRevalidate: () => false,
      children: screens.map((screen) => ({
        path: screen.path,
        // PageHost renders the page to keep it alive; the router only has to match.
        Component: Nothing,
        handle: { screen },
        loader: guard(screen),
        // Paging and filters are in the query string; changing them is not a navigation.
        shouldRevalidate: ({ currentUrl, nextUrl }) => currentUrl.pathname !== nextUrl.pathname,
      })),
    },
  ]
}
