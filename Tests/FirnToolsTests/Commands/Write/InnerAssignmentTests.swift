import FirnTesting
import FirnTools
import Testing

/// Statements that set a part of an object: a property of an embedded object, an entry of a map, an
/// element of a list.
@Suite("Setting parts of objects")
struct InnerAssignmentTests {
    private let harness = CommandHarness()

    private static let schema = """
        {"classes":[
          {"name":"Shop","key":"id","properties":[
            {"name":"id","type":"Int"},{"name":"tags","type":"List<String>"},
            {"name":"marks","type":"List<Int?>"},{"name":"stock","type":"Map<Int>"},
            {"name":"notes","type":"Map<String?>"},{"name":"chief","type":"Map<Shop>"},
            {"name":"peers","type":"List<Shop>"},{"name":"address","type":"Address"},{"name":"more","type":"List<Address>"},
            {"name":"anything","type":"Any"}]},
          {"name":"Address","embedded":true,"properties":[
            {"name":"city","type":"String"},{"name":"number","type":"Int?"},
            {"name":"names","type":"Map<String>"}]}]}
        """

    private func shops(_ records: String) throws -> String {
        let file = harness.folder("shops.firn")
        try Fixtures.write(Self.schema, to: harness.folder("schema.json"))
        let made = harness.run(["create", file, "--schema", harness.folder("schema.json"), "-q"])
        #expect(made.status == 0, "\(made.errors)")
        let written = harness.run(["write", file, "-c", "Shop", "-q", "-"], input: records)
        #expect(written.status == 0, "\(written.errors)")
        return file
    }

    private func set(_ file: String, _ statement: String) -> CommandHarness.Run {
        harness.run(["write", file, "-q", "-x", statement])
    }

    private func found(_ file: String, _ query: String) -> String {
        harness.run(["query", file, query, "-f", "ndjson"]).output
    }

    @Test("A part is set, and the rest of the object is unchanged")
    func parts() throws {
        let file = try shops(
            #"{"id":1,"tags":["a","b"],"marks":[1,null],"stock":{"x":1},"address":"#
                + #"{"city":"Rome","number":3},"more":[{"city":"A"},{"city":"B"}]}"#)
        for statement in [
            "Shop | set address.city = upper(address.city), address.number = id + 4",
            #"Shop | set stock["x"] = stock["x"] + 1, stock["y"] = 7, notes["n"] = nil"#,
            "Shop | set tags[1] = tags[0], marks[0] = nil",
            #"Shop | set more[1].city = "C", more[0].names["en"] = "one""#,
            #"Shop | set chief["me"] = obj("Shop", 1), anything = [1, {"k": [nil, "v"]}]"#,
        ] {
            let outcome = set(file, statement)
            #expect(outcome.status == 0, "\(statement): \(outcome.errors)")
        }
        #expect(
            found(file, "Shop")
                == #"{"id":1,"tags":["a","a"],"marks":[null,null],"stock":{"x":2,"y":7},"#
                + #""notes":{"n":null},"chief":{"me":1},"peers":[],"address":{"city":"ROME","number":5,"#
                + #""names":{}},"more":[{"city":"A","number":null,"names":{"en":"one"}},"#
                + #"{"city":"C","number":null,"names":{}}],"anything":[1,{"k":[null,"v"]}]}"# + "\n"
        )
        #expect(harness.run(["check", file, "--deep", "-q"]).status == 0)
    }

    @Test("Setting an equal value changes nothing")
    func same() throws {
        let file = try shops(
            #"{"id":1,"tags":["a"],"stock":{"x":1},"address":{"city":"Rome"}}"#)
        let statement =
            #"Shop | set tags[0] = "a", stock["x"] = 1, address.city = "Rome", stock = {"x": 1}"#
        let twice = set(file, statement)
        #expect(twice.errors.contains("\"stock\" is set twice"))
        let outcome = harness.run([
            "write", file, "-x",
            #"Shop | set tags[0] = "a", stock["x"] = 1, address.city = "Rome""#,
        ])
        #expect(outcome.output.contains(#""updated":0,"deleted":0,"unchanged":1"#))
        // A key with nil is there, and one that is not has the same value.
        let key = ["write", file, "-x", #"Shop | set notes["n"] = nil"#]
        #expect(harness.run(key).output.contains(#""updated":1"#))
        #expect(harness.run(key).output.contains(#""updated":0,"deleted":0,"unchanged":1"#))
    }

    /// The minus before a key went to the value, and a value that is computed from constants was
    /// refused at the end of a map.
    @Test("Map literals have strings as keys and constants as values")
    func literals() throws {
        let file = try shops(#"{"id":1,"tags":["a"]}"#)
        #expect(set(file, #"Shop | set stock = {-"a": 5}"#).errors.contains("expected"))
        #expect(set(file, #"Shop | set stock = {"a": 5, -"b": 7}"#).errors.contains("expected"))
        #expect(set(file, #"Shop | set stock = {"a": 2, "b": 1 + 1}"#).status == 0)
        #expect(found(file, "Shop | select(stock)") == #"{"stock":{"a":2,"b":2}}"# + "\n")
        let list = harness.run([
            "write", file, "-q", "-p", "v:=[1,2]", "-x",
            #"Shop | set anything = {"k": $v, "n": [$v]}"#,
        ])
        #expect(list.status == 0, "\(list.errors)")
        #expect(
            found(file, "Shop | select(anything)")
                == #"{"anything":{"k":[1,2],"n":[[1,2]]}}"# + "\n")
        let argument = harness.run([
            "write", file, "-q", "-p", "v:=[1,2]", "-x", "Shop | set anything = $v",
        ])
        #expect(argument.status == 0, "\(argument.errors)")
        let entry = set(file, #"Shop | set stock = {"a b": id}"#)
        #expect(entry.errors.contains("a map holds constants only"))
        #expect(entry.errors.contains(#"set its entries one by one: stock["a b"] = ..."#))
    }

    /// The engine refused it while values were being stored, which ended the transaction of a shell.
    @Test("An element that must be an object cannot be nil")
    func objects() throws {
        let file = try shops(
            #"{"id":1,"peers":[1],"more":[{"city":"A"}]}"# + "\n" + #"{"id":2,"peers":[1]}"#)
        for statement in [
            "Shop | set peers[0] = nil", "Shop more.@count > 0 | set more[0] = nil",
        ] {
            #expect(set(file, statement).errors.contains("[0]\" cannot be nil"))
        }
        let computed = set(file, #"Shop | set stock["n"] = 1, peers[0] = obj("Shop", id + 1)"#)
        #expect(
            computed.errors.contains("peers[0] must have a value, and this is nil for an object"))
        #expect(found(file, #"Shop stock["n"] != nil | count"#).contains("0"))
    }

    @Test(
        "An object without the part is reported, and nothing changes",
        arguments: [
            (
                #"Shop | set stock["n"] = 1, address.city = "Oslo""#,
                "\"address\" is nil in an object that matches",
                "set only those that have one: address != nil"
            ),
            (
                #"Shop | set stock["n"] = 1, tags[1] = "x""#,
                "\"tags[1]\" does not exist in an object that matches",
                "set only those that have it: tags.@count > 1"
            ),
            (
                #"Shop | set more[0].city = "x""#, "\"more[0]\" is nil in an object that matches",
                "set only those that have one: more[0] != nil"
            ),
        ])
    func missing(statement: String, error: String, hint: String) throws {
        let file = try shops(
            #"{"id":1,"tags":["a","b"],"address":{"city":"Rome"},"more":[{"city":"A"}]}"# + "\n"
                + #"{"id":2,"tags":["a"]}"#)
        let before = found(file, "Shop")
        let outcome = set(file, statement)
        #expect(outcome.status != 0 && outcome.errors.contains(error))
        #expect(outcome.errors.contains(hint), "\(outcome.errors)")
        #expect(found(file, "Shop") == before)
        // The hint has been tried.
        let condition = hint.split(separator: ": ").last.map(String.init) ?? ""
        let narrowed = statement.replacing("Shop |", with: "Shop \(condition) |")
        #expect(set(file, narrowed).status == 0)
        #expect(found(file, "Shop") != before)
    }

    /// Enough objects for the paths that change whole row groups, in both orders.
    @Test(
        "Many objects are set with the same result as one by one",
        arguments: ["", "SORT(id DESC) "])
    func many(order: String) throws {
        let records = (0..<3_000).map { id in
            let address =
                id % 7 == 3 ? "null" : #"{"city":"c\#(id % 5)","number":\#((id * 37) % 1_000)}"#
            return #"{"id":\#(id),"stock":{"old":\#(id % 11)},"address":\#(address)}"#
        }.joined(separator: "\n")
        let file = try shops(records)
        let outcome = set(
            file,
            "Shop address != nil && id % 3 != 0 \(order)| "
                + #"set stock["was"] = address.number, address.number = address.number * 2 + id, "#
                + #"address.city = address.city + "!", stock["old"] = id"#)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let changed = #"stock["was"] != nil"#
        let expected = (0..<3_000).filter { $0 % 7 != 3 && $0 % 3 != 0 }.count
        func count(_ condition: String) -> String {
            harness.run(["query", file, "Shop \(condition) | count", "-r"]).output
        }
        #expect(count(changed) == "\(expected)\n")
        #expect(
            count(
                #"\#(changed) && address.number == stock["was"] * 2 + id && stock["old"] == id"#
                    + #" && address.city ENDSWITH "!" && stock["was"] == id * 37 % 1000"#)
                == "\(expected)\n")
        #expect(
            count(
                #"address != nil && id % 3 == 0 && address.number == id * 37 % 1000"#
                    + #" && NOT address.city ENDSWITH "!" && stock["old"] == id % 11"#)
                == "\((0..<3_000).filter { $0 % 7 != 3 && $0 % 3 == 0 }.count)\n")
        #expect(harness.run(["check", file, "--deep", "-q"]).status == 0)
    }
}
