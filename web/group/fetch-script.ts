import { N2N_MANAGEMENT_PORT } from '#schema/group/n2n-server'

/**
 * The script that the supernode's host runs every minute; docs/operations.md explains it. What a broken transfer leaves behind
 * must neither be taken for the list nor be what the next request compares with.
 */
export const fetchScript = ({ token, url }: { token: string; url: string }) =>
  [
    'cd /etc/n2n && rm -f community.new && \\',
    `curl -fsS -H 'Authorization: Bearer ${token}' --etag-compare community.etag --etag-save etag.new -o community.new '${url}' && \\`,
    '[ -s community.new ] && mv community.new community.list && mv etag.new community.etag && \\',
    `echo 'w 1:1:n2n reload_communities' | nc -u -w1 127.0.0.1 ${N2N_MANAGEMENT_PORT}`,
  ].join('\n')
