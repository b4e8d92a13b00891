import FirnFormats
import FirnTesting
import FirnTools
import Testing

@testable import FirnServe

@Suite("Requests that are running")
struct RunningRequestsTests {
    private func entry(_ path: String) -> RunningRequests.Entry {
        RunningRequests.Entry(identifier: nil, path: path, query: nil, start: 0)
    }

    @Test("Running requests are listed in start order, each until it ends")
    func order() {
        let requests = RunningRequests()
        requests.note(entry("/a")) { _ in
            requests.note(entry("/b")) { _ in
                #expect(requests.entries.map(\.path) == ["/a", "/b"])
            }
            #expect(requests.entries.map(\.path) == ["/a"])
        }
        #expect(requests.entries.isEmpty)
    }

    @Test("Only the latest progress of a command is kept")
    func progress() throws {
        let requests = RunningRequests()
        try requests.note(entry("/a")) { notes in
            for line in [
                #"{"v":1,"type":"progress","what":"reading","rows":1}"#, "note: something else",
                #"{"v":1,"type":"progress","what":"reading","rows":2}"#, #"{"v":1,"type":"done"}"#,
            ] {
                try Array((line + "\n").utf8).withUnsafeBytes { try notes.write($0) }
            }
            #expect(
                requests.entries.first?.progress
                    == #"{"v":1,"type":"progress","what":"reading","rows":2}"#)
        }
    }

    /// The command draws progress in the same form.
    @Test("A query that a client reads slowly is listed with the request ID of the client")
    func listed() throws {
        let name = String(repeating: "n", count: 3000)
        let server = try TestServer(rows: (0..<3000).map { "\($0),\(name),1,Oslo\n" }.joined())
        let slow = try HTTPConnection(port: server.port, receiveByteCount: 4096)
        try slow.send(
            server.head(
                "GET", "/v1/query?q=Person",
                ["Connection": "close", "X-Request-ID": "my \"query\""]))
        _ = try slow.read(through: "\r\n\r\n")
        let id = TestServer.encoded("my \"query\"")
        let found = try server.ask("GET", "/v1/running?id=\(id)").text
        #expect(
            found.hasPrefix(#"{"v":1,"type":"running","id":"my \"query\"","path":"/v1/query","#))
        #expect(found.contains(#""q":"Person","seconds":"#))
        #expect(try server.ask("GET", "/v1/running?id=another").text.isEmpty)
        _ = try slow.rest()
        #expect(try server.ask("GET", "/v1/running").text.isEmpty)
    }
}
