import { t } from '../i18n.ts'
import { PageHeader } from '../page/page-header.tsx'
import { screenTitle } from '../page/screen-title.ts'
import { askAhead } from '../query.ts'
import { listStateAt, questionOf } from './list-state.ts'
import type { AnyList, ListPageOptions } from './list-types.ts'
import { ListView } from './list-view.tsx'

/**
 * A whole page from a declaration: header with actions, and the list. About 30 of the console's routes are lists. Its rows are
 * asked for while the page is still being loaded.
 */
export function listPage<C extends AnyList>({ screen, line, Actions, ...options }: ListPageOptions<C>) {
  function ListPage() {
    return (
      <ListView<C>
        {...(options as unknown as ListPageOptions<C>)}
        header={(context) => (
          <PageHeader
            title={screenTitle(screen)}
            line={line ? t(line) : null}
            actions={Actions ? <Actions {...context} /> : null}
          />
        )}
      />
    )
  }
  const { call, filters = [], refreshS = 0 } = options as unknown as ListPageOptions<AnyList>
  const ahead = (search: string) =>
    askAhead(call, questionOf({ call, body: options.body }, listStateAt(search, filters, refreshS)).body)
  return Object.assign(ListPage, { ahead })
}
