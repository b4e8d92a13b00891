import Firn
import FirnTesting

/// A random model: the class `Sample`, and perhaps a class `Target` to which it links.
struct RandomModel: Sendable {
    enum TargetKind: Sendable { case absent, top, embedded }

    /// The types of the properties of `Sample`, besides its links.
    var types: [String: RandomType] = [:]
    /// The names of the links of `Sample`.
    var links: Set<String> = []
    var key: String?
    var target = TargetKind.absent
    /// The type of the property `a` of `Target`, if it has one.
    var targetType: RandomType?

    static let names = ["a", "b", "c", "d"]
    static let linkNames = ["link", "links", "named"]

    /// Draws a model.
    init(_ generator: inout SplitMix64) {
        for name in Self.names where !generator.happens(oneIn: 4) {
            types[name] = RandomType.all.randomElement(using: &generator)
        }
        key = [nil, "id", "code"].randomElement(using: &generator) ?? nil
        target = [.absent, .top, .embedded, .embedded].randomElement(using: &generator) ?? .absent
        guard target != .absent else { return }
        targetType =
            generator.happens(oneIn: 4) ? nil : RandomType.all.randomElement(using: &generator)
        links = Set(Self.linkNames.filter { _ in !generator.happens(oneIn: 3) })
        // An embedded class without a link to it would be refused.
        if target == .embedded { links.insert("links") }
    }

    /// The classes of the model.
    var objectTypes: [ObjectBase.Type] {
        let ignored = Set(Self.names.filter { types[$0] == nil })
            .union(Self.linkNames.filter { !links.contains($0) })
        let targetTraits = RandomTraits(ignored: targetType == nil ? ["a"] : [], key: nil)
        let number = typeNumber(RandomTraits(ignored: ignored, key: key).number)
        let targetNumber = typeNumber(targetTraits.number)
        let a: any _Persistable.Type = targetType?.type ?? Int.self
        switch target {
        case .absent: return [sample(RandomTarget<Int, NoBits>.self, number)]
        case .top:
            let top = Self.top(a, targetNumber)
            return [sample(top, number), top]
        case .embedded: return [sample(Self.part(a, targetNumber), number)]
        }
    }

    private static func top<A: _Persistable, Traits: TypeNumber>(
        _: A.Type, _: Traits.Type
    ) -> any (ObjectBase & _OptionalCapable).Type {
        RandomTarget<A, Traits>.self
    }

    private static func part<A: _Persistable, Traits: TypeNumber>(
        _: A.Type, _: Traits.Type
    ) -> any (ObjectBase & _OptionalCapable).Type {
        RandomPart<A, Traits>.self
    }

    private func sample(
        _ target: any (ObjectBase & _OptionalCapable).Type, _ number: any TypeNumber.Type
    ) -> ObjectBase.Type {
        func sample<A, B, C, D, Target, Traits>(
            _: A.Type, _: B.Type, _: C.Type, _: D.Type, _: Target.Type, _: Traits.Type
        ) -> ObjectBase.Type
        where
            A: _Persistable, B: _Persistable, C: _Persistable, D: _Persistable,
            Target: ObjectBase & _OptionalCapable, Traits: TypeNumber
        { RandomSample<A, B, C, D, Target, Traits>.self }
        func type(_ name: String) -> any _Persistable.Type { types[name]?.type ?? Int.self }
        return sample(type("a"), type("b"), type("c"), type("d"), target, number)
    }
}
