import FirnFormats
import FirnTools
import FirnValues
import NIOHTTP1

/// The rules by which a request is accepted, before any part of it is read.
///
///     Host      one of the names of this server: a page of another name, which resolves to this
///               machine, is refused (DNS rebinding)
///     Origin    absent, or this server, or one that `--allow-origin` names
///     token     in the cookie, or in `Authorization: Bearer`
struct AccessPolicy: Sendable {
    /// The accepted hosts, in lower case, with their port; empty if all are, as over a socket file.
    let hosts: [String]
    /// The origins of other pages that may send requests.
    let allowedOrigins: [String]
    /// The name of the cookie: browsers send the cookies of one port to all others of a host.
    let cookieName: String
    /// The token; `nil` if the access to a socket file decides.
    let token: AccessToken?

    /// Returns the name of the cookie of a server.
    static func cookieName(port: Int?) -> String {
        port.map { "firn-token-\($0)" } ?? "firn-token"
    }

    /// Checks whether a request was sent to this server, directly or by a page that may use it.
    func checkSource(_ headers: HTTPHeaders) throws(Problem) {
        try checkHost(headers)
        try checkOrigin(headers)
    }

    /// Checks the token of a request.
    func checkToken(_ headers: HTTPHeaders) throws(Problem) {
        guard let token else { return }
        let given = bearer(headers) ?? cookie(headers)
        guard let given, token.matches(given) else {
            throw Problem(
                .unauthorized, .filePermission,
                given == nil ? "the request has no token" : "the token is not that of this server",
                remedy: "open the URL that firn serve printed, or send the token as: "
                    + "Authorization: Bearer TOKEN")
        }
    }

    private func checkHost(_ headers: HTTPHeaders) throws(Problem) {
        guard !hosts.isEmpty else { return }
        let given = headers["Host"]
        guard given.count == 1,
            hosts.contains(where: { $0.hasSameBytes(as: given[0].lowercased()) })
        else {
            throw Problem(
                .misdirectedRequest, .usageArguments,
                "this server is not known as \(SafeText.escaping(given.first ?? "nothing"))",
                remedy: "name it with: firn serve --host NAME")
        }
    }

    private func checkOrigin(_ headers: HTTPHeaders) throws(Problem) {
        for origin in headers["Origin"] where !isAllowed(origin) {
            throw Problem(
                .forbidden, .filePermission,
                "pages of \(SafeText.escaping(origin)) may not use this server",
                remedy: "allow them with: firn serve --allow-origin ORIGIN")
        }
    }

    /// Returns whether a page of an origin may read responses.
    func isAllowed(_ origin: String) -> Bool {
        if allowedOrigins.contains(where: { $0.hasSameBytes(as: origin) }) { return true }
        let parts = origin.lowercased().split(
            separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0] == "http" || parts[0] == "https" else { return false }
        let host = String(parts[1])
        return hosts.contains { $0.hasSameBytes(as: host) }
    }

    private func bearer(_ headers: HTTPHeaders) -> String? {
        guard let value = headers.first(name: "Authorization"),
            value.prefix(7).lowercased() == "bearer "
        else { return nil }
        return String(value.dropFirst(7))
    }

    private func cookie(_ headers: HTTPHeaders) -> String? {
        for header in headers["Cookie"] {
            for pair in header.split(separator: ";") {
                let parts = pair.drop { $0 == " " }.split(
                    separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                if parts.count == 2, parts[0].elementsEqual(cookieName) { return String(parts[1]) }
            }
        }
        return nil
    }
}
