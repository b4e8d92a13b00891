import FirnTesting
import FirnTools
import Testing

/// `mongoexport`, package files and other programs have names of their own that begin with a dollar sign,
/// and some of them are those that Firn gives to the number and the class of an object.
@Suite("Names with a dollar sign")
struct ExportNamesTests {
    private let harness = CommandHarness()

    private func make(_ text: String, _ name: String) -> String {
        let file = harness.folder(name)
        let run = harness.run(["create", file, "--from", "-", "--class", "T", "-q"], input: text)
        #expect(run.status == 0, "\(run.errors)")
        return file
    }

    @Test(
        "A special member that is not a number or class name is data, and survives an export",
        arguments: [
            #"{"$id":"abc","a":1}"#, #"{"$id":-1,"a":1}"#, #"{"$id":1.5,"a":1}"#,
            #"{"$class":"org.acme.Dog","a":1}"#, #"{"$class":5,"a":1}"#, #"{"a":1,"$class":"a b"}"#,
            ##"{"$ref":"#/definitions/x","$schema":"https://json-schema.org/draft"}"##,
            #"{"$type":"app.bsky.feed.post","$lib":"x","$oid":"507f1f77bcf86cd799439011"}"#,
            "{\"$id\":\"abc\",\"$class\":\"x-y\",\"a\":1}\n{\"$id\":\"abd\",\"$class\":\"..\",\"a\":2}",
        ], ["ndjson", "json"])
    func data(text: String, format: String) throws {
        let file = make(text, "a.firn")
        let names = ["$id", "$class", "$ref", "$schema", "$type", "$lib", "$oid", "a"].filter {
            text.contains("\"\($0)\"")
        }
        let schema = harness.run(["schema", file, "-f", "json"]).output
        for name in names { #expect(schema.contains("\"name\":\"\(name)\""), "\(schema)") }
        let exported = harness.run(["export", file, "-f", format])
        guard format == "json" || !schema.contains("\"name\":\"$class\"") else {
            // A line would name its class and its property alike.
            #expect(exported.status == 64)
            #expect(exported.errors.contains("-f json"), "\(exported.errors)")
            return
        }
        try #require(exported.status == 0, "\(exported.errors)")
        let copy = make(exported.output, "b.firn")
        #expect(harness.run(["export", copy, "-f", format]).output == exported.output)
        #expect(harness.run(["schema", copy, "-f", "json"]).output == schema)
    }

    @Test("A member that is data in one record and a number in another is refused")
    func mixed() throws {
        let run = harness.run(
            ["create", harness.folder("a.firn"), "--from", "-", "--class", "T", "-q"],
            input: "{\"$id\":1,\"a\":1}\n{\"$id\":\"abc\",\"a\":2}\n")
        #expect(run.status == 65)
        #expect(run.errors.contains("standard input:1, $id"), "\(run.errors)")
    }

    @Test(
        "After a schema, any string can name a class", .tags(.security),
        arguments: ["..", "a b", "org.acme.Dog", "All", "None", "True", "5", "$class"])
    func anyClass(name: String) throws {
        let text = """
            {"$schema":{"v":1,"classes":[{"name":"\(name)","properties":[{"name":"a","type":"Int"}]},\
            {"name":"B","properties":[{"name":"a","type":"Int"}]}]}}
            {"$class":"\(name)","$id":0,"a":1}
            {"$class":"B","$id":0,"a":2}

            """
        let file = make(text, "a.firn")
        let exported = harness.run(["export", file]).output
        #expect(exported.hasSuffix(String(text.drop { $0 != "\n" })), "\(exported)")
        #expect(harness.run(["export", make(exported, "b.firn")]).output == exported)
    }
}
