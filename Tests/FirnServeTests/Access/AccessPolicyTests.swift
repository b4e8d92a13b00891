import FirnPlatform
import NIOHTTP1
import Testing

@testable import FirnServe

/// A page of any other site can send requests to this machine, in the browser of its user.
@Suite("Requests that are refused for where they come from")
struct AccessPolicyTests {
    private let token = AccessToken("0123456789abcdef")
    private var policy: AccessPolicy {
        AccessPolicy(
            hosts: ["127.0.0.1:80", "localhost:80"], allowedOrigins: ["https://app.example"],
            cookieName: "firn-token", token: token)
    }

    @Test(
        "Only the names of the server are accepted, in any letter case",
        arguments: [
            ("127.0.0.1:80", true), ("LOCALHOST:80", true), ("localhost:81", false),
            ("localhost", false), ("evil.example:80", false), ("127.0.0.1:80.evil.example", false),
            ("", false),
        ])
    func hosts(host: String, isAccepted: Bool) {
        let headers: HTTPHeaders = ["Host": host]
        #expect(((try? policy.checkSource(headers)) != nil) == isAccepted)
    }

    @Test("A request with no host or two hosts is refused")
    func hostCount() {
        #expect(throws: Problem.self) { try policy.checkSource([:]) }
        var headers: HTTPHeaders = ["Host": "localhost:80"]
        headers.add(name: "Host", value: "localhost:80")
        #expect(throws: Problem.self) { try policy.checkSource(headers) }
    }

    @Test(
        "A page from another origin is refused, unless that origin is allowed",
        arguments: [
            ("http://127.0.0.1:80", true), ("https://app.example", true), ("null", false),
            ("https://app.example.evil", false), ("http://evil.example", false),
            ("file://127.0.0.1:80", false), ("http://localhost:81", false), ("", false),
        ])
    func origins(origin: String, isAccepted: Bool) {
        let headers: HTTPHeaders = ["Host": "localhost:80", "Origin": origin]
        #expect(((try? policy.checkSource(headers)) != nil) == isAccepted)
    }

    @Test(
        "The token is accepted only in a cookie or in an authorization header",
        arguments: [
            (["Authorization": "Bearer 0123456789abcdef"], true),
            (["Authorization": "bearer 0123456789abcdef"], true),
            (["Cookie": "a=b; firn-token=0123456789abcdef; c=d"], true),
            (["Authorization": "Basic 0123456789abcdef"], false),
            (["Authorization": "Bearer 0123456789abcdeF"], false),
            (["Authorization": "Bearer "], false), (["Cookie": "firn-token=0"], false),
            (["Cookie": "xfirn-token=0123456789abcdef"], false), ([:], false),
        ])
    func tokens(headers: [String: String], isAccepted: Bool) {
        let headers = HTTPHeaders(headers.map { ($0.key, $0.value) })
        #expect(((try? policy.checkToken(headers)) != nil) == isAccepted)
    }

    @Test(
        "A string that is too short, or that does not fit in a header, is not a valid token",
        arguments: [
            "", "short", "0123456789abcde", "0123456789 abcdef", "0123456789abcdef\n",
            "0123456789abcde\u{E9}", "0123456789;abcdef",
        ])
    func invalid(text: String) { #expect(AccessToken(text) == nil) }

    @Test("A token is 128 random bits")
    func random() {
        let tokens = (0..<100).map { _ in AccessToken(SystemServices.real.entropy).text }
        #expect(Set(tokens).count == 100 && tokens.allSatisfy { $0.utf8.count == 32 })
    }
}
