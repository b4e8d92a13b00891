import Testing

@testable import FirnEngine
@testable import FirnFormats
@testable import FirnTools

@Suite("Sessions listed by stats")
struct SessionListTests {
    private func session(
        _ pid: Int32?, _ command: String = "", isThis: Bool = false, isStopped: Bool = false,
        isAttached: Bool = false, isWriting: Bool = false, isCheckpointing: Bool = false,
        pinned: [UInt64] = []
    ) -> StoreClient {
        StoreClient(
            process: pid.map {
                ProcessDescription(
                    pid: $0, command: command, ageSeconds: 38, isStopped: isStopped)
            }, isThisProcess: isThis, isAttached: isAttached, isWriting: isWriting,
            isCheckpointing: isCheckpointing, pinned: pinned.map { RootVersion($0) })
    }

    @Test("Sessions are listed as text and as records, without the listing process")
    func sessions() {
        let list = SessionList([
            session(4121, "firn write app.firn feed.ndjson", isAttached: true, isWriting: true),
            session(77, "evil\u{1B}[2J", isStopped: true, pinned: [7, 9]),
            session(99, "firn stats app.firn", isThis: true, pinned: [9]), session(nil),
        ])
        #expect(
            list.text == """
                   pid   age  does               reads  command
                  4121  38 s  writing, attached         firn write app.firn feed.ndjson
                    77  38 s  stopped            7, 9   evil\\x1b[2J
                     ?     ?  reading

                """, "\(list.text)")
        #expect(
            list.records.map(\.text) == [
                #"{"pid":4121,"command":"firn write app.firn feed.ndjson","age":38,"stopped":false,"#
                    + #""attached":true,"writing":true,"checkpointing":false,"pins":[]}"#,
                #"{"pid":77,"command":"evil\u001b[2J","age":38,"stopped":true,"#
                    + #""attached":false,"writing":false,"checkpointing":false,"pins":[7,9]}"#,
                #"{"pid":null,"attached":false,"writing":false,"checkpointing":false,"pins":[]}"#,
            ])
    }

    @Test("A file without other sessions lists none")
    func nobody() {
        #expect(SessionList([session(1, isThis: true)]).text == "no other process has it open\n")
        #expect(SessionList([]).records.isEmpty)
    }
}
