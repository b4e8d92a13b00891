import FirnPlatform
import FirnTesting
import Testing

@testable import FirnServe

@Suite("Lines of a stream as events")
struct StreamLineTests {
    private func line(_ text: String) -> StreamLine { StreamLine(Array(text.utf8)[...]) }

    @Test("Clients share a stream only if their queries have the same bytes")
    func sharing() {
        let queries = ["name == 'caf\u{e9}'", "name == 'cafe\u{301}'"].map {
            StreamQuery(path: "a.firn", words: ["Person", $0])
        }
        #expect(queries[0] == queries[0] && queries[0] != queries[1])
        #expect(Set(queries).count == 2)
    }

    @Test("An event has the type and the token of its line")
    func event() {
        let text = #"{"v":1,"type":"update","version":6,"prev":5,"token":"o2.6.a.b","count":2}"#
        let line = line(text)
        #expect(line.type == "update" && line.version == 6 && line.token == "o2.6.a.b")
        #expect(
            String(decoding: line.bytes, as: UTF8.self)
                == "id: o2.6.a.b\nevent: update\ndata: \(text)\n\n")
    }

    /// A line without a token is not a position: a client that resumed there would miss objects. What
    /// looks like a token may be the value of a property of that name.
    @Test(
        "A token inside an object is not the token of the line",
        arguments: [
            #"{"v":1,"type":"initial","version":5,"class":"A","objects":[{"token":"x"}],"more":true}"#,
            #"{"v":1,"op":"insert","version":5,"initial":true,"class":"A","token":"x"}"#,
            #"{"v":1,"type":"x","version":5,"object":{"token":"x"},"token":"y"}"#,
            #"{"v":1,"type":"a\"b","token":"y"}"#, #"{"token":"cut"#, "{", "", "\"token\":\"x\"",
        ])
    func object(text: String) {
        #expect(line(text).token == nil)
        #expect(!String(decoding: line(text).bytes, as: UTF8.self).contains("id:"))
    }

    /// Clients check that nothing is missing by the version before an event. A client that joined
    /// others has another one.
    @Test("An event names the last version that the client has seen")
    func previous() {
        let text =
            #"{"v":1,"type":"update","version":9,"prev":5,"token":"t","note":",\"prev\":5,","commits":4,"#
            + #""count":2,"insertions":[{"object":{"a":1,"prev":5,"commits":4,"b":1}}]}"#
        let line = line(text)
        #expect(line.bytes(after: 5) == nil)
        let own = line.bytes(after: 7).map { String(decoding: $0, as: UTF8.self) } ?? ""
        #expect(
            own.contains(#""version":9,"prev":7,"token":"t","note":",\"prev\":5,","commits":2,"#))
        #expect(own.contains(#"{"a":1,"prev":5,"commits":4,"b":1}"#))
        #expect(
            self.line(#"{"v":1,"type":"heartbeat","version":9,"token":"t"}"#).bytes(after: 7) == nil
        )
    }

    @Test("Lines are the same, however the input is cut")
    func pieces() throws {
        let texts = (1...20).map { number in
            #"{"v":1,"type":"update","version":\#(number),"token":"t\#(number)","x":""#
                + String(repeating: "\u{1F436}", count: number * 7) + "\"}"
        }
        let all = Array((texts.joined(separator: "\n") + "\n").utf8)
        for size in [1, 2, 3, 64, 4096, all.count] {
            var versions: [UInt64] = []
            let sink = LineSink { versions.append($0.version) }
            var rest = all[...]
            while !rest.isEmpty {
                let piece = Array(rest.prefix(size))
                let result = piece.withUnsafeBytes { bytes in
                    Result { () throws(PlatformError) in try sink.write(bytes) }
                }
                try result.get()
                rest = rest.dropFirst(size)
            }
            #expect(versions == Array(1...20))
        }
    }
}
