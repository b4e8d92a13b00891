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
