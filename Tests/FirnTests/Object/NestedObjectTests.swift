// Objects nested in the values of another object. Four things differed from Realm:
//
// - `Object(value:)` copied a managed object inside the values, so that adding the new object
//   stored one object too many. Realm keeps the object.
// - `realm.create(_:value:)` adopted an unmanaged object inside the values: it became managed.
//   Realm copies it and leaves it unmanaged, as it does with the outermost one.
// - Nested objects got their rows before their owner, so that `objects(...)` returned them in
//   another order. In Realm the object comes first, then the targets of its properties, in order.
// - An assignment into a dictionary that a `RealmProperty<AnyRealmValue>` holds was lost.
//
// If an unmanaged object occurs several times among the values of one `create`, Realm makes a copy
// for each occurrence and does not end if the objects form a cycle. Here each object has one copy.

import Firn
import Foundation
import Testing

private class Node: Object {
    @Persisted var name = ""
    @Persisted var next: Node?
    @Persisted var children: List<Node>
    @Persisted var others: Map<String, Node?>
    @Persisted var value: AnyRealmValue
    @Persisted var tag: NodeTag?
    @Persisted var tags: List<NodeTag>

    convenience init(_ name: String) {
        self.init()
        self.name = name
    }
}

private class NodeTag: EmbeddedObject {
    @Persisted var text = ""
    @Persisted var node: Node?

    convenience init(_ text: String) {
        self.init()
        self.text = text
    }
}

private class KeyedNode: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var name = "new"
    @Persisted var next: KeyedNode?
    @Persisted var children: List<KeyedNode>
}

private class BoxedNode: Object {
    let any = RealmProperty<AnyRealmValue>()
}

@Suite("Objects nested in the values of another object")
struct NestedObjectTests {
    private let realm: Realm

    init() throws {
        realm = try Realm(
            configuration: Realm.Configuration(
                inMemoryIdentifier: UUID().uuidString,
                objectTypes: [Node.self, KeyedNode.self, BoxedNode.self]))
    }

    private var names: [String] { realm.objects(Node.self).map(\.name) }

    // MARK: Object(value:)

    @Test("A managed nested object is kept and not copied")
    func managedInside() throws {
        let ann = Node("Ann")
        try realm.write { realm.add(ann) }
        let bob = Node(
            value: [
                "name": "Bob", "next": ann, "children": [ann], "value": AnyRealmValue.object(ann),
            ])
        #expect(bob.next === ann)
        #expect(bob.children[0] === ann)
        try realm.write { realm.add(bob) }
        #expect(names == ["Ann", "Bob"])
        #expect(bob.next?.isSameObject(as: ann) == true)
        let cid = Node(value: bob)
        try realm.write { realm.add(cid) }
        #expect(names == ["Ann", "Bob", "Bob"])
    }

    // MARK: create

    @Test("create copies a nested object, which stays unmanaged, wherever it is nested")
    func createCopies() throws {
        let inner = Node("inner")
        let tag = NodeTag("t")
        tag.node = inner
        let list = List<AnyRealmValue>()
        list.append(.object(inner))
        let values: [String: Any] = [
            "name": "outer", "next": inner, "children": [inner], "others": ["a": inner],
            "value": AnyRealmValue.list(list), "tag": tag, "tags": [tag],
        ]
        try realm.write {
            let outer = realm.create(Node.self, value: values)
            #expect(outer.next?.name == "inner")
            #expect(outer.tag?.node?.isSameObject(as: outer.next) == true)
            #expect(outer.value.listValue?[0].object(Node.self)?.name == "inner")
        }
        #expect(inner.realm == nil)
        #expect(tag.realm == nil)
        #expect(list.realm == nil)
        #expect(names == ["outer", "inner"])
        try realm.write {
            inner.name = "changed"
            realm.add(inner)
        }
        #expect(names == ["outer", "inner", "changed"])
    }

    @Test("create copies the nested objects of an object, and each object in a cycle only once")
    func circle() throws {
        let (one, two) = (Node("1"), Node("2"))
        one.next = two
        two.next = one
        one.children.append(objectsIn: [two, two, one])
        try realm.write {
            let copy = realm.create(Node.self, value: one)
            #expect(copy.next?.next?.isSameObject(as: copy) == true)
            #expect(copy.children.map(\.name) == ["2", "2", "1"])
        }
        #expect(names == ["1", "2"])
        #expect(one.realm == nil && two.realm == nil)
    }

    @Test("dynamicCreate also copies a nested object")
    func dynamicCreateCopies() throws {
        let inner = Node("inner")
        inner.next = inner
        try realm.write {
            realm.dynamicCreate(
                "Node", value: ["name": "outer", "next": inner, "children": [inner]])
        }
        #expect(inner.realm == nil)
        #expect(names == ["outer", "inner"])
        let found = try #require(realm.objects(Node.self).last)
        #expect(found.next?.isSameObject(as: found) == true)
    }

    @Test("create updates a nested object with the given values if the policy says so")
    func updates() throws {
        try realm.write {
            realm.create(KeyedNode.self, value: ["id": 2, "name": "old"])
            let given = KeyedNode(value: ["id": 2, "name": "given"])
            let one = realm.create(
                KeyedNode.self,
                value: [
                    "id": 1, "next": given,
                    "children": [["id": 2], ["id": 3, "name": "three"], ["id": 3]] as [Any],
                ] as [String: Any],
                update: .modified)
            #expect(given.realm == nil)
            #expect(one.next?.name == "given")
            #expect(one.children.map(\.id) == [2, 3, 3])
            #expect(one.children.map(\.name) == ["given", "three", "three"])
        }
        #expect(realm.objects(KeyedNode.self).map(\.id) == [2, 1, 3])
    }

    // MARK: Order

    private func tree() -> Node {
        let root = Node("root")
        root.next = Node("next")
        root.next?.next = Node("after next")
        root.children.append(objectsIn: [Node("first child"), Node("second child")])
        root.children[0].value = .object(Node("grandchild"))
        root.others["a"] = Node("other")
        return root
    }

    private static let order = [
        "root", "next", "after next", "first child", "grandchild", "second child", "other",
    ]

    @Test("A nested object gets its row after its owner when the owner is added")
    func orderOfAdding() throws {
        try realm.write { realm.add(tree()) }
        #expect(names == Self.order)
    }

    @Test("A nested object gets its row after its owner when the owner is created")
    func orderOfCreating() throws {
        try realm.write { realm.create(Node.self, value: tree()) }
        #expect(names == Self.order)
    }

    @Test(
        "A nested object gets its row after its owner when the owner is created from dictionaries",
        arguments: [false, true])
    func orderOfDictionaries(isDynamic: Bool) throws {
        let value: [String: Any] = [
            "name": "root", "next": ["name": "next", "next": ["name": "after next"]],
            "children": [
                ["name": "first child", "next": ["name": "grandchild"]], ["name": "second child"],
            ], "others": ["a": ["name": "other"]],
        ]
        try realm.write {
            if isDynamic {
                realm.dynamicCreate("Node", value: value)
            } else {
                realm.create(Node.self, value: value)
            }
        }
        #expect(names == Self.order)
        let root = try #require(realm.objects(Node.self).first)
        #expect(root.children.map(\.name) == ["first child", "second child"])
        #expect(root.others["a"]??.name == "other")
    }

    @Test("A nested object keeps its link back to its owner")
    func cycles() throws {
        let root = Node("root")
        let tag = NodeTag("t")
        tag.node = root
        root.tag = tag
        root.value = .object(root)
        root.children.append(root)
        root.next = Node("next")
        root.next?.next = root
        try realm.write { realm.add(root) }
        #expect(names == ["root", "next"])
        #expect(root.tag?.node?.isSameObject(as: root) == true)
        #expect(root.value.object(Node.self)?.isSameObject(as: root) == true)
        #expect(root.children[0].isSameObject(as: root))
        #expect(root.next?.next?.isSameObject(as: root) == true)
    }

    // MARK: Boxes

    @Test("Assigning a nested object into a dictionary of a boxed property stores it")
    func boxedDictionary() throws {
        let boxed = BoxedNode()
        boxed.any.value = .fromDictionary(["a": .int(1), "b": .fromArray([.int(1)])])
        try realm.write { realm.add(boxed) }
        try realm.write {
            boxed.any.value.dictionaryValue?["a"] = .int(2)
            boxed.any.value.dictionaryValue?["b"]?.listValue?.append(.int(2))
        }
        let found = try #require(realm.objects(BoxedNode.self).first)
        #expect(found.any.value.dictionaryValue?["a"] == .int(2))
        #expect(found.any.value.dictionaryValue?["b"]?.listValue?.count == 2)
    }

    @Test(
        "Assigning a nested object into an element of a sorted or erased collection stores it"
    )
    func nestedInResults() throws {
        final class Values: Object {
            @Persisted var list: List<AnyRealmValue>
            @Persisted var map: Map<String, AnyRealmValue>
            override class func shouldIncludeInDefaultSchema() -> Bool { false }
        }
        let realm = try Realm(
            configuration: Realm.Configuration(
                inMemoryIdentifier: UUID().uuidString, objectTypes: [Values.self]))
        try realm.write {
            let object = realm.create(Values.self)
            object.list.append(.fromDictionary(["a": .int(1)]))
            object.map["k"] = .fromDictionary(["a": .int(1)])
            for value in AnyRealmCollection(object.list) {
                value.dictionaryValue?["a"] = .int(2)
            }
            object.list.last?.dictionaryValue?["b"] = .int(3)
            for (_, value) in object.map { value.dictionaryValue?["a"] = .int(2) }
            object.map.values[0].dictionaryValue?["b"] = .int(3)
            for nested in [object.list[0].dictionaryValue, object.map["k"]?.dictionaryValue] {
                #expect(nested?["a"] == .int(2))
                #expect(nested?["b"] == .int(3))
            }
        }
    }
}
