import FirnTesting
import FirnTools
import Testing

/// Databases that `firn create` makes from JSON, schemas and links.
@Suite("Creation from JSON, schemas and with links")
struct CreateTests {
    private let harness = CommandHarness()

    private var file: String { harness.folder("new.firn") }

    private func create(_ words: [String], _ input: String = "") -> CommandHarness.Run {
        harness.run(["create", file] + words, input: input)
    }

    @Test("JSON is imported with the types that a reader expects")
    func inference() throws {
        let run = create(
            ["--from", "Person=-", "--key", "id"],
            """
            {"id":1,"b":true,"d":1,"s":"x","day":"2013-01-05","time":"2013-01-05T10:00:00Z","mixed":1,
             "uid":"00000000-0000-0000-0000-00000000000a","big":99999999999999999999,"empty":[],
             "l":[1,2],"n":[[1]],"o":{"p":{"q":1}},"os":[{"x":1},{"y":"z"}],"none":null,"map":{}}
            {"id":2,"b":false,"d":1.5,"s":"y","day":"2013-01-06","time":"2013-01-05T10:00:00.5Z",
             "mixed":"x","uid":"00000000-0000-0000-0000-00000000000b","big":1,"empty":[],"l":[null],
             "n":[],"o":null,"os":[],"none":null,"map":{},"late":1}
            """)
        #expect(run.status == 0, "\(run.errors)")
        #expect(
            harness.run(["schema", file, "-f", "text"]).output == """
                PersonOP (embedded)
                  q  Int?

                PersonO (embedded)
                  p  PersonOP?

                PersonOs (embedded)
                  x  Int?
                  y  String?

                Person
                  id     Int, key
                  b      Bool?
                  d      Double?
                  s      String?
                  day    Date?, dates only
                  time   Date?
                  mixed  Any
                  uid    UUID?
                  big    Decimal128?
                  empty  List<Any>
                  l      List<Int?>
                  n      List<Any>
                  o      PersonO?
                  os     List<PersonOs>
                  none   String?
                  map    Map<Any>
                  late   Int?

                """)
        #expect(
            harness.run(["query", file, "Person id == 1"]).output == """
                {"id":1,"b":true,"d":1.0,"s":"x","day":"2013-01-05","time":"2013-01-05T10:00:00Z",\
                "mixed":1,"uid":"00000000-0000-0000-0000-00000000000a","big":"99999999999999999999",\
                "empty":[],"l":[1,2],"n":[[1]],"o":{"p":{"q":1}},"os":[{"x":1,"y":null},\
                {"x":null,"y":"z"}],"none":null,"map":{},"late":null}

                """)
        #expect(run.errors.contains("class Person, 2 rows"))
        #expect(
            run.errors.contains("mixed  Any             values of several kinds"), "\(run.errors)")
    }

    @Test(
        "A failed creation leaves no file",
        arguments: [
            ("{\"id\":1}\n{\"id\":1}", 65 as Int32, "already has an object with id 1"),
            ("{\"id\":1}\n{\"name\":\"x\"}", 65, "without a value for its key id"),
            ("{\"id\":1,\"l\":[1,{\"$ref\":\"Dog\",\"id\":3}]}", 66, "there is no class \"Dog\""),
            ("{\"id\":1}\n[2]", 65, "must be an object"), ("{\"id\":1", 65, "ends inside"),
            ("{\"$schema\":{\"v\":1}}\n", 65, "classes"),
            (
                "{\"$class\":\"A\",\"id\":1,\"b\":7}\n{\"$class\":\"B\",\"b\":[{\"$ref\":\"A\",\"id\":3}]}",
                65, "no A with id 3"
            ),
        ])
    func failures(input: String, status: Int32, text: String) throws {
        let run = create(["--from", "-", "--class", "Thing", "--key", "id", "-q"], input)
        #expect(run.status == status, "\(run.errors)")
        #expect(run.errors.contains(text), "\(run.errors)")
        #expect(harness.folder.names.isEmpty)
    }

    @Test("--type accepts every type, and tables contain all of them")
    func declaredTypes() throws {
        let run = create(
            [
                "--from", "T=-", "--type", "a=Decimal128", "--type", "b=Int8?", "--type",
                "c=List<Int>", "--type", "d=Data", "--type", "T.e=Float", "--type", "f=UUID",
                "--type", "g=Map<Date>", "--type", "h=Any", "--type", "i=ObjectId", "--type",
                "j=T", "--type", "k=Set<String>", "--key", "f", "-q",
            ],
            """
            a,b,c,d,e,f,g,h,i,j,k
            0.10,,"[1,2]",AQI=,0.5,00000000-0000-0000-0000-000000000001,"{""x"":""2013-01-05""}","[1,""x""]",000000000000000000000001,00000000-0000-0000-0000-000000000002,"[""b"",""a""]"
            1E+3,-128,,"",1,00000000-0000-0000-0000-000000000002,,null,000000000000000000000002,,

            """)
        #expect(run.status == 0, "\(run.errors)")
        #expect(
            harness.run(["query", file, "T"]).output == """
                {"a":"0.10","b":null,"c":[1,2],"d":"AQI=","e":0.5,"f":"00000000-0000-0000-0000-000000000001",\
                "g":{"x":"2013-01-05T00:00:00Z"},"h":[1,"x"],"i":"000000000000000000000001",\
                "j":"00000000-0000-0000-0000-000000000002","k":["a","b"]}
                {"a":"1E+3","b":-128,"c":[],"d":"","e":1.0,"f":"00000000-0000-0000-0000-000000000002",\
                "g":{},"h":null,"i":"000000000000000000000002","j":null,"k":[]}

                """)
        let wide = harness.run(
            ["create", harness.folder("b.firn"), "--from", "T=-", "--type", "b=Int8", "-q"],
            input: "b\n1\n128\n")
        #expect(wide.status == 65)
        #expect(
            wide.errors.contains("standard input:3, b: out of the range of Int8"), "\(wide.errors)")
    }

    @Test("A schema declares the classes, and inputs follow it")
    func schema() throws {
        let schema =
            #"{"v":1,"classes":[{"name":"A","key":"id","properties":[{"name":"id","type":"Int16"},{"name":"m","type":"Map<Int?>"}]}]}"#
        let path = harness.folder("schema.json")
        try Fixtures.write(schema, to: path)
        let run = create(
            ["--schema", path, "--from", "A=-"], "{\"id\":1,\"m\":{\"x\":null}}\n{\"id\":2}\n")
        #expect(run.status == 0, "\(run.errors)")
        #expect(harness.run(["schema", file]).output == schema + "\n")
        #expect(
            harness.run(["query", file, "A"]).output
                == "{\"id\":1,\"m\":{\"x\":null}}\n{\"id\":2,\"m\":{}}\n")
        #expect(create(["--schema", path]).status == 73)
        let again = create(["--schema", path, "--if-missing"])
        #expect(again.status == 0)
        #expect(again.output.contains(#""skipped":true"#))
        let other = create(
            ["--schema", "-", "--if-missing"], schema.replacing("Int16", with: "Int32"))
        #expect(other.status == 65)
        #expect(other.errors.contains("its class A differs"))
        #expect(create(["--dry-run", "--schema", path, "--if-missing"]).output == schema + "\n")
    }

    @Test("--link adds a link for a column of keys, keeps the column, and counts unmatched keys")
    func links() throws {
        let flights = harness.folder("flights.csv")
        try Fixtures.write("n,tail,seat\n1,A,x\n2,B,y\n3,,z\n4,Q,z\n5,Q,x\n", to: flights)
        let planes = harness.folder("planes.csv")
        try Fixtures.write("tail,seats,next\nA,10,B\nB,20,A\n", to: planes)
        let run = create([
            "--from", "Flight=\(flights)", "--from", planes, "--class", "Flight", "--class",
            "Plane", "--key", "Plane.tail", "--link", "plane=tail:Plane.tail", "--link",
            "Plane.successor=next:Plane.tail",
        ])
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.errors.contains("plane: 2 linked, 2 with a tail that no Plane has\n"))
        #expect(
            run.output.contains(
                #""links":[{"class":"Flight","property":"plane","linked":2,"unmatched":2},{"class":"Plane","property":"successor","linked":2,"unmatched":0}]"#
            ), "\(run.output)")
        #expect(
            harness.run(["query", file, "Flight", "-f", "csv"]).output
                == "n,tail,seat,plane\n1,A,x,A\n2,B,y,B\n3,,z,\n4,Q,z,\n5,Q,x,\n")
        #expect(
            harness.run(["query", file, "Flight plane.successor.seats > 10", "-s", "n", "-r"])
                .output
                == "1\n")
        #expect(harness.run(["check", file, "--deep", "-q"]).status == 0)
        // New rows are linked when they are written, and old ones stay unchanged.
        let more = harness.run(
            ["write", file, "-", "-c", "Flight", "--link", "plane=tail:Plane.tail"],
            input: "n,tail,seat\n6,B,x\n7,Z,x\n")
        #expect(more.status == 0, "\(more.errors)")
        #expect(more.errors == "plane: 1 linked, 1 with a tail that no Plane has\n")
        #expect(
            harness.run(["query", file, "Flight plane == nil", "--count", "-r"]).output == "4\n")
        let late = harness.run(
            ["write", file, "-", "-c", "Flight", "--link", "kin=seat:Flight.tail"],
            input: "n,tail,seat\n8,y,A\n")
        #expect(late.status == 0, "\(late.errors)")
        #expect(
            harness.run(["query", file, "Flight kin != nil", "-s", "n", "-r"]).output == "2\n8\n")
        #expect(harness.run(["check", file, "--deep", "-q"]).status == 0)
    }

    @Test(
        "Invalid links are refused",
        arguments: [
            ("x=seat:B.key", 65 as Int32, "write.ambiguous-link", "several objects of B have key"),
            ("x=seat:B.n", 65, "write.type", "A.seat is String? and B.n is Int?"),
            ("x=seet:B.key", 65, "write.unknown-property", #""suggest":["seat"]"#),
            ("x=seat:B.ky", 65, "write.unknown-property", #""suggest":["key"]"#),
            ("x=seat:C.key", 66, "write.unknown-class", "C"),
            ("x=n:B.n", 64, "usage.arguments", "A.x=n:B.n"),
            ("Q.x=n:B.n", 66, "write.unknown-class", "Q"),
            ("seat=seat:B.key", 65, "write.type", "already"),
        ])
    func wrongLinks(link: String, status: Int32, slug: String, text: String) throws {
        let input = """
            {"$class":"A","n":1,"seat":"x"}
            {"$class":"B","n":1,"key":"x"}
            {"$class":"B","n":2,"key":"x"}
            {"$class":"C2","n":2}
            """
        let run = create(["--from", "-", "--link", link, "-q", "--errors", "json"], input)
        #expect(run.status == status, "\(run.errors)")
        #expect(run.errors.contains(slug) && run.errors.contains(text), "\(run.errors)")
        #expect(harness.folder.names.isEmpty)
    }
}
