import NIOHTTP1

/// A complete request.
struct Request: Sendable {
    let method: HTTPMethod
    /// The path, without the query part.
    let path: String
    let items: QueryItems
    let headers: HTTPHeaders
    let body: [UInt8]

    /// Returns the first value of a header, or `nil` if it is missing.
    func header(_ name: String) -> String? { headers.first(name: name) }
}
