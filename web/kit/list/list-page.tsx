import { t } from '../i18n.ts'
import { PageHeader } from '../page/page-header.tsx'
import { screenTitle } from '../page/screen-title.ts'
import type { AnyList, ListPageOptions } from './list-types.ts'
import { ListView } from './list-view.tsx'

/** A whole page from a declaration: header with actions, and the list. About 30 of the console's routes are lists. */
export function listPage<C extends AnyList>({ screen, line, Actions, ...options }: ListPageOptions<C>) {
  return function ListPage() {
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
}
