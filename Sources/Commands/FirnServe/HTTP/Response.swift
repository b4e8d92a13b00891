import FirnValues
import NIOHTTP1

/// A response that is complete before it is sent.
struct Response: Sendable {
    var status: HTTPResponseStatus
    var headers: HTTPHeaders
    var body: [UInt8]

    init(_ status: HTTPResponseStatus, type: String, _ body: [UInt8], _ headers: HTTPHeaders = [:])
    {
        self.status = status
        self.headers = headers
        self.body = body
        if !type.isEmpty { self.headers.replaceOrAdd(name: "Content-Type", value: type) }
    }

    init(_ problem: Problem) {
        self.init(problem.status, type: "application/problem+json", Array(problem.json.utf8))
        if !problem.allowedMethods.isEmpty {
            let methods = problem.allowedMethods.map(\.rawValue).joined(separator: ", ")
            headers.replaceOrAdd(name: "Allow", value: methods)
        }
        if let seconds = problem.retryAfterSeconds {
            headers.replaceOrAdd(name: "Retry-After", value: String(seconds))
        }
    }
}

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
