import FirnValues
import NIOHTTP1

/// The headers of every response.
enum ResponseHeaders {
    /// The page loads nothing from elsewhere, runs no inline script and cannot be framed.
    private static let contentSecurityPolicy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
        + "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

    static func add(to headers: inout HTTPHeaders) {
        headers.replaceOrAdd(name: "X-Content-Type-Options", value: "nosniff")
        headers.replaceOrAdd(name: "Referrer-Policy", value: "no-referrer")
        headers.replaceOrAdd(name: "Content-Security-Policy", value: contentSecurityPolicy)
        if headers.first(name: "Cache-Control") == nil {
            headers.replaceOrAdd(name: "Cache-Control", value: "no-cache, private")
        }
    }
}
