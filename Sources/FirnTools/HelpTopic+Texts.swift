extension HelpTopic {
    static let queryLanguageText = """
        The language of queries; man firn-query-language has all of it.

          Person age > 30 SORT(age DESC) LIMIT(7)      a class, a condition, descriptors
          Person | age > 30 | SORT(age) | select(name) the same as stages

        Conditions      == != < <= > >= BETWEEN {1, 5} IN {"a", "b"} AND OR NOT ( )
        Text            BEGINSWITH CONTAINS ENDSWITH LIKE "a*?"; ==[c] "x" and [d]
        Places          spot GEOWITHIN geoCircle([lon, lat], 0.01); geoBox, geoPolygon
        Literals        41 -7.5 "text" true nil {1, 2} and $name of -p name=TEXT
        Through links   plane.seats > 300    ANY dogs.age > 3    ALL NONE
        Sums            dogs.@count dogs.@avg.age @sum @min @max SUBQUERY(dogs, $d, ...)
        Order           SORT(city, age DESC) DISTINCT(city) SKIP(10) LIMIT(10)
        Columns         select(name, age * 2 AS double)
        Groups          group(city; n = @count, @avg.age AS mean)
        Charts          hist(age, 10)  bar(n)  spark(age), at the end
        Ends            count  exists  first  last
        Changes         write -x: set age = age + 1    delete

        Everything acts from left to right. nil comes first, and last with DESC. Names
        that are no words stand in backquotes. Several QUERY arguments are the stages of
        one query.

        """

    static let eventsText = """
        What firn observe prints, a JSON object per line; all of it: man firn-events.

          initial    what there is when it begins, in "objects"; "more" if lines follow
          update     what commits did: "deletions", "insertions", "modifications"
          heartbeat  nothing happened, and the stream is alive
          reset      changes are no longer kept: what follows begins anew
          end        the stream is over, and "reason" says why

        Each line has "version" and a "token" that --since goes on from. --shape rows
        prints one line per object instead, with "op", "class", "key" and the object;
        firn diff prints the same, and firn write --input observe reads it.

        """

    static let examplesText = """
        From nothing to an answer:
          firn create people.firn --from people.csv --class Person --key id
          firn query people.firn 'Person age > 35 SORT(age DESC)'
          firn query people.firn 'Person city == $c' -p c=Oslo -s name -r

        Changes:
          firn write people.firn -x 'Person city == "Oslo" | set city = "Bergen"'
          firn write people.firn new.ndjson -c Person --upsert
          firn observe people.firn 'Person age > 50'

        Versions:
          firn freeze people.firn monday --expires 7d
          firn query people.firn Person --at monday
          firn diff people.firn --from monday --summary

        Out again:
          firn export people.firn people.csv
          firn export people.firn -f sql | sqlite3 people.sqlite
          firn query people.firn Person -f markdown

        Scripts that back up, ship, watch and compact databases: man firn-examples

        """
}
